/** Mounts: made and found by what the kernel says in mountinfo, never by what we remember. */
import { readFileSync } from 'node:fs';
import { run } from './run.ts';

export interface Mount {
  readonly id: number;
  /** `major:minor` of the file system. */
  readonly device: string;
  /** The directory of the file system that is shown. */
  readonly root: string;
  readonly mountPoint: string;
  readonly fsType: string;
  readonly source: string;
  readonly options: string;
  /** Options of the file system, such as the layers of an overlay. */
  readonly superOptions: string;
}

/** The mount table of this process, in mount order. */
export function listMounts(): readonly Mount[] {
  return parseMountinfo(readFileSync('/proc/self/mountinfo', 'utf8'));
}

/** Reads the format of proc(5) mountinfo; octal escapes are undone. */
export function parseMountinfo(text: string): readonly Mount[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [left = '', right = ''] = line.split(' - ');
      const fields = left.split(' ');
      const [fsType = '', source = '', superOptions = ''] = right.split(' ');
      return {
        id: Number(fields[0]),
        device: fields[2] ?? '',
        root: unescapeOctal(fields[3] ?? ''),
        mountPoint: unescapeOctal(fields[4] ?? ''),
        fsType,
        source: unescapeOctal(source),
        options: fields[5] ?? '',
        superOptions: unescapeOctal(superOptions),
      };
    });
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

export async function mountOverlay(
  target: string,
  lower: readonly string[],
  upper: string,
  work: string,
  extraOptions: readonly string[] = [],
): Promise<void> {
  const dirs = [`lowerdir=${lower.join(':')}`, `upperdir=${upper}`, `workdir=${work}`];
  await run('mount', ['-t', 'overlay', 'overlay', '-o', [...dirs, ...extraOptions].join(','), target]);
}

/** Several directories as one, read-only; the first of `lower` is on top. Overlay needs at least two. */
export async function mountOverlayReadOnly(target: string, lower: readonly string[]): Promise<void> {
  const options = `ro,nodev,nosuid,lowerdir=${lower.join(':')}`;
  await run('mount', ['-t', 'overlay', 'overlay', '-o', options, target]);
}

/** Makes what is mounted below `path` later visible to containers that have it (mount propagation). */
export async function makeShared(path: string): Promise<void> {
  if (!listMounts().some((mount) => mount.mountPoint === path)) await run('mount', ['--bind', path, path]);
  await run('mount', ['--make-rshared', path]);
}

/** A directory of strangers' files, to be read only: devices and setuid bits in it mean nothing. */
export async function mountForeign(source: string, target: string): Promise<void> {
  await run('mount', ['--bind', source, target]);
  await run('mount', ['-o', 'remount,ro,nodev,nosuid,bind', target]);
}

export async function mountBind(source: string, target: string, readOnly = false): Promise<void> {
  await run('mount', ['--bind', source, target]);
  if (readOnly) await run('mount', ['-o', 'remount,ro,bind', target]);
}

export async function mountTmpfs(target: string, options: string): Promise<void> {
  await run('mount', ['-t', 'tmpfs', 'tmpfs', '-o', options, target]);
}

/** Huge pages of one size as files; the group, if given, may use them. */
export async function mountHugetlbfs(target: string, pageBytes: number, gid?: number): Promise<void> {
  const options = [`pagesize=${pageBytes}`, 'mode=1777', ...(gid === undefined ? [] : [`gid=${gid}`])];
  await run('mount', ['-t', 'hugetlbfs', 'hugetlbfs', '-o', options.join(','), target]);
}

/** Unmounts everything at or below `prefix`, innermost first. */
export async function unmountBelow(prefix: string): Promise<void> {
  const points = listMounts()
    .map((m) => m.mountPoint)
    .filter((p) => p === prefix || p.startsWith(`${prefix}/`));
  for (const point of points.toReversed()) await run('umount', ['-l', point]);
}
