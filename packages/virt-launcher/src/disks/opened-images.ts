/**
 * Whether QEMU has opened the images that were meant. Between the look at a claim and QEMU's own there is a moment in
 * which whoever else has the claim could have put a link in the place of the image; QEMU would have followed it.
 */
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { isClaimPath } from '@podvisor/api';
import { notPlain } from '@podvisor/storage';
import type { DomainDisk } from '@podvisor/translate';
import { LauncherError } from '../launcher-error.ts';

/** Throws unless every image of a claim is a plain file that the process has open. Before the guest runs. */
export function requireOpened(disks: readonly DomainDisk[], pid: number): void {
  const images = disks.flatMap(({ source }) => source?.file ?? []).filter(isClaimPath);
  if (images.length === 0) return;
  const open = openFiles(pid);
  for (const image of images) {
    const stats = lstatSync(image);
    const fault = notPlain(stats);
    if (fault !== undefined || !open.has(`${stats.dev}:${stats.ino}`))
      throw new LauncherError(
        `${image} ${fault ?? 'is not the file that was opened'}: somebody who has the claim as well changed it while the guest was being started; a disk image must be a plain file with one name`,
      );
  }
}

function openFiles(pid: number): ReadonlySet<string> {
  const directory = `/proc/${pid}/fd`;
  return new Set(
    readdirSync(directory).flatMap((name) => {
      const stats = statSync(`${directory}/${name}`, { throwIfNoEntry: false });
      return stats?.isFile() === true ? [`${stats.dev}:${stats.ino}`] : [];
    }),
  );
}
