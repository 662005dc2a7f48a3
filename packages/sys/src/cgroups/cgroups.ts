/** Control groups, v1 and v2 alike: one path names the group in every mounted hierarchy. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupVersion } from '../host-facts.ts';

const ROOT = '/sys/fs/cgroup';

/** Directories of the group in all hierarchies that have it. */
export function cgroupDirectories(path: string): readonly string[] {
  const roots =
    cgroupVersion() === 2
      ? [ROOT]
      : readdirSync(ROOT, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => join(ROOT, entry.name));
  return roots.map((root) => join(root, path)).filter((dir) => existsSync(dir));
}

/** Process ids in the group itself (not below), from all hierarchies. */
export function cgroupProcesses(path: string): readonly number[] {
  const pids = new Set<number>();
  for (const dir of cgroupDirectories(path)) {
    try {
      for (const line of readFileSync(join(dir, 'cgroup.procs'), 'utf8').split('\n')) {
        if (line !== '') pids.add(Number(line));
      }
    } catch {
      // The group vanished between the two looks: it has no processes.
    }
  }
  return [...pids];
}

/** Names of the groups directly below. */
export function cgroupChildren(path: string): readonly string[] {
  const names = new Set<string>();
  for (const dir of cgroupDirectories(path)) {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (entry.isDirectory()) names.add(entry.name);
    }
  }
  return [...names];
}

/** Removes the group and all below it. False when processes still hold one of them. */
export function removeCgroup(path: string): boolean {
  return cgroupDirectories(path)
    .map((dir) => removeTree(dir))
    .every((done) => done);
}

function removeTree(dir: string): boolean {
  try {
    const below = readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => removeTree(join(dir, entry.name)));
    if (below.includes(false)) return false;
    rmdirSync(dir);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/**
 * How much the group gets of the CPU beside its siblings when there is too little for all, in shares as cgroup v1
 * counts them (1024: as much as one process outside of any group). Makes the group where it is missing.
 */
export function weighCgroup(path: string, shares: number): void {
  const isV2 = cgroupVersion() === 2;
  const roots = isV2 ? [ROOT] : cgroupDirectories('/').filter((root) => existsSync(join(root, 'cpu.shares')));
  for (const root of roots) {
    if (isV2) passOnCpuControl(root, path);
    mkdirSync(join(root, path), { recursive: true });
    const [file, value] = isV2 ? ['cpu.weight', weightOfShares(shares)] : ['cpu.shares', shares];
    writeFileSync(join(root, path, file), String(value));
  }
}

/** The same proportion in the terms of cgroup v2, as runc and Kubernetes count: 2–262144 becomes 1–10000. */
export function weightOfShares(shares: number): number {
  return 1 + Math.floor(((shares - 2) * 9999) / 262_142);
}

/** In v2 a group has only the controllers that its parents pass on. */
function passOnCpuControl(root: string, path: string): void {
  let parent = root;
  for (const part of path.split('/').filter((name) => name !== '')) {
    writeFileSync(join(parent, 'cgroup.subtree_control'), '+cpu');
    parent = join(parent, part);
    mkdirSync(parent, { recursive: true });
  }
}

const FREEZE_TRIES = 500;
const FREEZE_PAUSE_MS = 10;

/** Stops all processes of the group and below, or lets them go on. Resolves when it is so; a group that is gone counts. */
export async function freezeCgroup(path: string, frozen: boolean): Promise<void> {
  const [dir] = cgroupDirectories(path).filter((found) => existsSync(join(found, freezeFile())));
  if (dir === undefined) return;
  const isV2 = cgroupVersion() === 2;
  const isSo = (): boolean =>
    isV2
      ? /^frozen (\d)$/m.exec(readFileSync(join(dir, 'cgroup.events'), 'utf8'))?.[1] === (frozen ? '1' : '0')
      : readFileSync(join(dir, 'freezer.state'), 'utf8').trim() === (frozen ? 'FROZEN' : 'THAWED');
  const tell = (): boolean => {
    try {
      // v1 may need to be told again: processes that were just forking are missed the first time.
      writeFileSync(join(dir, freezeFile()), isV2 ? (frozen ? '1' : '0') : frozen ? 'FROZEN' : 'THAWED');
      return isSo();
    } catch (error) {
      if (!existsSync(dir)) return true; // it went meanwhile
      throw error;
    }
  };
  for (let tries = 0; !tell(); tries += 1) {
    if (tries === FREEZE_TRIES)
      throw new Error(`the processes of ${path} cannot be ${frozen ? 'stopped' : 'started'}`);
    await new Promise((resolve) => setTimeout(resolve, FREEZE_PAUSE_MS));
  }
}

function freezeFile(): string {
  return cgroupVersion() === 2 ? 'cgroup.freeze' : 'freezer.state';
}
