/**
 * A promise beside an overlay that nobody has written to its disk behind its back: what the disk looked like when its
 * guest ended in good order. It is taken away while a guest runs, so after a crash there is none. An overlay without
 * a seal that fits is not believed: its bitmaps might not know of writes, and a backup would silently lack them.
 */
import { syncDirectory } from '../sync-directory.ts';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The image of a claim, or the device that it is. */
export interface DiskData {
  readonly path: string;
  readonly block: boolean;
}

const MAX_BYTES = 1024;

function sealPath(overlay: string): string {
  return `${overlay}.seal`;
}

/** What is known of the disk without reading it. Devices tell nothing but that they are devices. */
function looks({ path, block }: DiskData): string {
  if (block) return JSON.stringify({ path, block });
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return JSON.stringify({ path, ino: String(ino), size: String(size), mtimeNs: String(mtimeNs) });
}

export function seal(overlay: string, data: DiskData): void {
  const partial = `${sealPath(overlay)}.partial`;
  writeFileSync(partial, looks(data), { mode: 0o600, flush: true });
  renameSync(partial, sealPath(overlay));
  syncDirectory(dirname(overlay));
}

/** Whether the overlay may be believed; from now on it has no seal. */
export function breakSeal(overlay: string, data: DiskData): boolean {
  let noted: string;
  try {
    noted = readFileSync(sealPath(overlay), 'utf8').slice(0, MAX_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  rmSync(sealPath(overlay), { force: true });
  syncDirectory(dirname(overlay));
  return noted === looks(data);
}
