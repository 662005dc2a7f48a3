/** How much a migration will copy, told before it begins. */
import type { MigrationConfiguration, MigrationWork } from '@podvisor/api';
import { Amount } from '@podvisor/base';
import type { Notice } from '../../command-server/watch-domain.ts';
import { usedBytes } from '../../disks/disk-bytes.ts';

const MIB = 1024 * 1024;

/** Bytes that these images and devices take up; of an overlay only what the guest has changed. */
export function diskUse(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + usedBytes(path), 0);
}

/** Settings that were asked for and change nothing here, each with the reason. Pure. */
export function unusedSettings({ disableTLS, experimental }: MigrationConfiguration): readonly string[] {
  const { compression = 'none', downtimeTuning, stallDetector } = experimental ?? {};
  return [
    ...(disableTLS === true ? ['disableTLS: the data is always encrypted'] : []),
    ...(compression === 'none' ? [] : [`experimental.compression: ${compression} is not built`]),
    ...(downtimeTuning === undefined ? [] : ['experimental.downtimeTuning: maxDowntimeMs alone counts']),
    ...(stallDetector === undefined ? [] : ['experimental.stallDetector: progressTimeout alone counts']),
  ];
}

/** The event that a user reads. `unused`: settings that change nothing. Pure. */
export function announcement(
  { memoryBytes, volumes, diskBytes }: MigrationWork,
  unused: readonly string[] = [],
): Notice {
  const size = (bytes: number): string => Amount.ofBytes(Math.ceil(bytes / MIB) * MIB).toString();
  const disks =
    volumes.length === 0
      ? 'no disk is copied'
      : `${size(diskBytes)} of disks (${volumes.join(', ')}) are copied`;
  return {
    type: 'Normal',
    reason: 'Migrating',
    message: [
      `VirtualMachineInstance is migrating: up to ${size(memoryBytes)} of memory, ${disks}.`,
      ...(unused.length === 0 ? [] : [`Not used: ${unused.join('; ')}.`]),
    ].join(' '),
  };
}
