/** The source's side of a migration, and the leases of the disks that it may give up. */
import { isHotpluggable } from '@podvisor/api';
import type { LeaseHolder } from '@podvisor/storage';
import { DiskLeases } from '../disks/disk-leases.ts';
import { OutgoingMigration } from '../migration/outgoing.ts';
import type { LauncherOptions, LauncherParts } from './parts.ts';

export function launcherLeases({ flags, clock, log }: LauncherOptions): DiskLeases {
  return new DiskLeases({ holder: leaseHolder(flags), clock, log });
}

/** Whom the leases of this launcher name. */
export function leaseHolder({ namespace, name, uid }: LauncherOptions['flags']): LeaseHolder {
  return { vmi: `${namespace}/${name}`, uid, pod: process.env['POD_NAME'] ?? '' };
}

export function launcherMigration(parts: LauncherParts): OutgoingMigration {
  const { flags, libvirtd, clock, log } = parts.options;
  const { paths } = flags;
  return new OutgoingMigration({
    leases: parts.leases,
    diskPath: (volume, block) => {
      if (isHotpluggable(volume)) return paths.hotplugDisk(volume.name, block);
      return block ? paths.blockDevice(volume.name) : paths.claimImage(volume.name);
    },
    domainName: parts.domainName,
    session: parts.session,
    socketsDirectory: paths.sockets,
    restartLibvirtd: () => libvirtd.restart(),
    onChange: () => void parts.observer.refresh(),
    notify: (notice) => parts.watchers.notify(notice),
    deviceRemoved: (alias, signal) => parts.removals.wait(alias, signal),
    clock,
    log,
    signal: parts.ending.signal,
  });
}
