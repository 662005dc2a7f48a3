/** How much a migration will copy, told before it begins. */
import { stat } from 'node:fs/promises';
import { Amount } from '@podvisor/base';
import type { Notice } from '../command-server/watch-domain.ts';

const MIB = 1024 * 1024;
/** stat(2): the unit of st_blocks, whatever the file system's own is. */
const STAT_BLOCK_BYTES = 512;

/** Bytes that these images take up; of an overlay only what the guest has changed. */
export async function diskUse(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ blocks }) => blocks * STAT_BLOCK_BYTES,
        () => 0, // a device, or gone: only an estimate is at stake
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The event that a user reads. Pure. */
export function announcement(memoryBytes: number, volumes: readonly string[], diskBytes: number): Notice {
  const size = (bytes: number): string => Amount.ofBytes(Math.ceil(bytes / MIB) * MIB).toString();
  const disks =
    volumes.length === 0
      ? 'no disk is copied'
      : `${size(diskBytes)} of local disks (${volumes.join(', ')}) are copied`;
  return {
    type: 'Normal',
    reason: 'Migrating',
    message: `VirtualMachineInstance is migrating: up to ${size(memoryBytes)} of memory, ${disks}.`,
  };
}
