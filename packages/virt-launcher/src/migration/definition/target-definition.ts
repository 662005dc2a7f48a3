/** The domain as the target of a migration is to define it. */
import { QEMU_SOCKET, type VirtualMachineInstance, type Volume } from '@podvisor/api';
import type { Domain } from '@podvisor/translate';
import { claimDiskBytes } from '../../disks/disk-bytes.ts';
import { LauncherError } from '../../launcher-error.ts';
import type { MigrationPlan } from '../plan.ts';
import { type DiskPlace, redirectDisks } from './redirect-disks.ts';
import { retarget } from './retarget.ts';

/**
 * `cpus` of the target for a guest with CPUs of its own; `sockets`: the directories of QEMU's own socket here and there.
 * Undefined: as it is.
 */
export function targetDefinition(
  xml: string,
  cpus: readonly number[],
  disks: readonly DiskPlace[],
  sockets: { readonly here: string; readonly there: string },
): string | undefined {
  const pinned = retarget(xml, cpus);
  const redirected = disks.length === 0 ? pinned : redirectDisks(pinned ?? xml, disks);
  if (sockets.here === sockets.there) return redirected;
  const place = (directory: string): string => `path=${directory}/${QEMU_SOCKET},`;
  return (redirected ?? xml).replaceAll(place(sockets.here), () => place(sockets.there));
}

/** Where the disks that go to other claims are on the target. `diskPath`: of a volume in any launcher Pod. */
export function newPlaces(
  { moved }: MigrationPlan,
  live: Domain,
  { spec }: VirtualMachineInstance,
  diskPath: (volume: Volume, block: boolean) => string,
): readonly DiskPlace[] {
  const sizes = claimDiskBytes(live);
  return moved.map(({ volume, toBlock }) => {
    const bytes = sizes[volume];
    const declared = spec.volumes?.find(({ name }) => name === volume);
    if (bytes === undefined || declared === undefined)
      throw new LauncherError(`the size of volume ${volume} is not known`);
    return { volume, path: diskPath(declared, toBlock), block: toBlock, bytes };
  });
}
