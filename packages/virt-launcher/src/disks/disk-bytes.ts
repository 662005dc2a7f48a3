/** How large the disks of a domain are that stand on claims, and how much of them a copy has to move. */
import { statSync } from 'node:fs';
import { isClaimPath, pluggedVolumeOf } from '@podvisor/api';
import { deviceBytes } from '@podvisor/storage';
import type { Domain, DomainDisk } from '@podvisor/translate';

const USER_ALIAS = 'ua-';
/** stat(2): the unit of st_blocks, whatever the file system's own is. */
const STAT_BLOCK_BYTES = 512;

/** Bytes by volume. A disk that cannot be looked at is left out. */
export function claimDiskBytes({ devices }: Domain): Readonly<Record<string, number>> {
  return Object.fromEntries(
    (devices?.disks ?? []).flatMap(({ alias, source, device }): [string, number][] => {
      const volume = alias?.name?.startsWith(USER_ALIAS) ? alias.name.slice(USER_ALIAS.length) : undefined;
      const isClaim = source?.dev !== undefined || isKept(source?.file ?? '');
      const bytes = volume !== undefined && isClaim && device !== 'cdrom' ? sizeOf(source) : undefined;
      return volume === undefined || bytes === undefined ? [] : [[volume, bytes]];
    }),
  );
}

/** On a claim or host disk; all other images live and die with the Pod. */
function isKept(path: string): boolean {
  return isClaimPath(path) || pluggedVolumeOf(path) !== undefined;
}

function sizeOf(source: DomainDisk['source']): number | undefined {
  const part = source?.slices?.slice?.[0]?.size;
  if (part !== undefined) return part;
  try {
    if (source?.dev !== undefined) return deviceBytes(source.dev);
    return source?.file === undefined ? undefined : statSync(source.file).size;
  } catch {
    return undefined; // gone in this moment: only a figure is at stake
  }
}

/** Bytes that a copy of this image or device has to move at most; of a sparse image what it takes up. */
export function usedBytes(path: string): number {
  try {
    const stat = statSync(path);
    return stat.isBlockDevice() ? deviceBytes(path) : stat.blocks * STAT_BLOCK_BYTES;
  } catch {
    return 0; // gone in this moment: only an estimate is at stake
  }
}
