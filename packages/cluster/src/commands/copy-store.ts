/**
 * `node-agent.mjs copy-store TARGET`: a copy of the store as it is at one moment, also while the control plane runs.
 * The control plane alone may open the store, so it is held still for the time in which the files are copied: what
 * lies there then is what a process that ends at that moment leaves behind, and SQLite makes a whole of it. What was
 * answered is in it. Takes milliseconds; VMs do not notice.
 */
import { constants, copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type InstancePaths, readPidFile } from '@podvisor/sys';

/** Returns the exit code. */
export function copyStoreCommand(paths: InstancePaths, args: readonly string[]): number {
  const [target] = args;
  if (target === undefined) {
    console.error('usage: copy-store TARGET');
    return 2;
  }
  copyHeld(paths, target);
  makeWhole(target);
  return 0;
}

function copyHeld(paths: InstancePaths, target: string): void {
  const pid = readPidFile(`${paths.run}/control-plane.pid`);
  if (pid !== undefined) process.kill(pid, 'SIGSTOP');
  try {
    for (const suffix of ['', '-wal'])
      if (existsSync(`${paths.store}${suffix}`))
        copyFileSync(`${paths.store}${suffix}`, `${target}${suffix}`, constants.COPYFILE_FICLONE);
  } finally {
    if (pid !== undefined) process.kill(pid, 'SIGCONT');
  }
}

/** Takes what stands in the log into the file itself; throws when the copy is not sound. */
export function makeWhole(target: string): void {
  const copy = new DatabaseSync(target);
  try {
    copy.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE;');
    const verdict = copy.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
    if (verdict !== 'ok') throw new Error(`the copy of the store is not sound: ${String(verdict)}`);
  } finally {
    copy.close();
  }
  for (const suffix of ['-wal', '-shm']) rmSync(`${target}${suffix}`, { force: true });
}
