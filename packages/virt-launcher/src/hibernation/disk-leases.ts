/** Leases of the disks that a domain has on claims, read and never taken. */
import { leasedImageOf } from '@podvisor/api';
import { type Lease, readLease } from '@podvisor/storage';
import type { Domain } from '@podvisor/translate';
import type { DiskLease } from './meta.ts';

/** By image; disks without a lease are left out. */
export function diskLeases({
  devices,
}: Pick<Domain, 'devices'>): readonly (readonly [image: string, lease: Lease])[] {
  return (devices?.disks ?? []).flatMap(({ source }) => {
    const leased = leasedImageOf(source?.file ?? '');
    const lease = leased === undefined ? undefined : readLease(leased);
    return source?.file === undefined || lease === undefined ? [] : [[source.file, lease] as const];
  });
}

const USER_ALIAS = /^ua-/;

/** By volume: what a copy of a disk has too, until somebody uses it. */
export function leasesOf({ devices }: Domain): Readonly<Record<string, DiskLease>> {
  return Object.fromEntries(
    (devices?.disks ?? []).flatMap((disk) => {
      const volume = (disk.alias?.name ?? '').replace(USER_ALIAS, '');
      return diskLeases({ devices: { disks: [disk] } }).map(
        ([, { epoch, holder }]) => [volume, { epoch, uid: holder.uid }] as const,
      );
    }),
  );
}
