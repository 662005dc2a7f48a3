/** The lease by which others can tell the guest's end, on the storage of its disks. */
import { findLease, readRenewal, writeRenewal } from '@podvisor/storage';
import { DeadMansSwitch, machineTimeMs } from '@podvisor/sys';
import { killProcess } from '../fence/kill-process.ts';
import { GuestLease } from '../fence/guest-lease.ts';
import { leaseHolder } from './migration.ts';
import type { LauncherParts } from './parts.ts';

export function launcherGuestLease(parts: LauncherParts): GuestLease {
  const { flags, clock, log } = parts.options;
  return new GuestLease({
    holder: leaseHolder(flags),
    storage: { write: writeRenewal, read: readRenewal, lease: findLease },
    imageOf: (volume) => flags.paths.claimImage(volume),
    epochOf: (image) => parts.leases.epochOf(image),
    deadMansSwitch: new DeadMansSwitch(),
    killQemu: killProcess,
    isMoving: () => parts.migration.isActive,
    onChange: () => void parts.observer.refresh(),
    onFenced: (why) =>
      parts.watchers.notify({ type: 'Warning', reason: 'Fenced', message: `The guest was ended: ${why}` }),
    machineTimeMs,
    clock,
    log,
  });
}
