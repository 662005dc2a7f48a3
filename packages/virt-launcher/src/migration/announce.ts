/** How much a migration will copy, told before it begins. */
import { Amount } from '@podvisor/base';
import { type DomainRef, type LibvirtConnection, STATS } from '@podvisor/libvirt';
import type { Notice } from '../command-server/watch-domain.ts';

const MIB = 1024 * 1024;

/** Bytes that these disks (`vda`) take up; of an overlay only what the guest has changed. */
export async function diskUse(
  connection: LibvirtConnection,
  domain: DomainRef,
  disks: readonly string[],
): Promise<number> {
  const [stats] = await connection.inspect.allStats(STATS.block, 0, [domain]);
  const params = stats?.params ?? {};
  let bytes = 0;
  for (let index = 0; params[`block.${index}.name`] !== undefined; index += 1)
    if (disks.includes(String(params[`block.${index}.name`])))
      bytes += Number(params[`block.${index}.allocation`] ?? 0);
  return bytes;
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
