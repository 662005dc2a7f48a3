/**
 * Directories that a virt-handler left when it was killed while it asked libvirt. They lie where every user of the machine
 * may make names: one that is not ours is left alone, however it is called. Otherwise anybody could have root walk through
 * and delete what he makes meanwhile.
 */
import { lstatSync, mkdtempSync, opendirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '@podvisor/sys';

/** Of our directories; the pid of who asked follows. */
const PREFIX = 'podvisor-probe-';
/** Others may fill the directory; what is not found today is found at a later start. */
const MOST_NAMES = 10_000;

export function makeProbeDirectory(parent: string): string {
  return mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
}

/** Their libvirtd ended with them. */
export function removeLeftovers(parent: string, self = process.getuid?.() ?? 0): void {
  const entries = opendirSync(parent);
  try {
    for (let i = 0; i < MOST_NAMES; i += 1) {
      const entry = entries.readSync();
      if (entry === null) return;
      const path = join(parent, entry.name);
      if (isLeft(entry.name) && isOurs(path, self)) rmSync(path, { recursive: true, force: true });
    }
  } finally {
    entries.closeSync();
  }
}

/** Named after somebody who asked and is gone. */
function isLeft(name: string): boolean {
  const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
  return pid > 0 && !isAlive(pid);
}

function isOurs(path: string, self: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === self;
}
