/**
 * Where the source finds the target of a migration. The VMI's status says it, and a status is only as good as whoever
 * could write it: the address is dialled when the Lease of the target's virt-handler names the same one. Pure.
 */
import {
  annotations,
  type Lease,
  MIGRATION_CHANNELS,
  type MigrationChannel,
  type MigrationState,
} from '@podvisor/api';
import { ipFamily, ipValue } from '@podvisor/base';

export interface TargetPlace {
  readonly address: string;
  readonly ports: ReadonlyMap<MigrationChannel, number>;
}

/** Throws when the status names a place that the target's virt-handler does not. */
export function targetPlace(state: MigrationState, lease: Lease | undefined): TargetPlace {
  const { targetNode = '', targetNodeAddress: address = '' } = state;
  if (lease?.spec?.holderIdentity !== targetNode || targetNode === '')
    throw new Error(`virt-handler of node "${targetNode}" has no Lease: nothing is sent to ${address}`);
  const own = leasedAddresses(lease);
  if (!own.some((known) => isSameAddress(known, address)))
    throw new Error(
      `the target of the migration is said to be at ${address}, but virt-handler of node ${targetNode} is at ${own.join(', ')}`,
    );
  return { address, ports: portsOf(state) };
}

/** The migration address; a virt-handler that has no other tells only its endpoint. */
function leasedAddresses({ metadata }: Lease): readonly string[] {
  const migration = metadata?.annotations?.[annotations.handlerMigrationAddress];
  if (migration !== undefined) return [migration];
  const endpoint = metadata?.annotations?.[annotations.handlerEndpoint] ?? '';
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname.replace(/^\[(.*)\]$/, '$1') : '';
  return host === '' ? [] : [host];
}

function isSameAddress(one: string, other: string): boolean {
  const family = ipFamily(one);
  return family !== undefined && family === ipFamily(other) && ipValue(one) === ipValue(other);
}

function portsOf({ targetDirectMigrationNodePorts = {} }: MigrationState): TargetPlace['ports'] {
  const known = new Map<number, MigrationChannel>(
    Object.values(MIGRATION_CHANNELS).map((channel) => [channel, channel]),
  );
  return new Map(
    Object.entries(targetDirectMigrationNodePorts).flatMap(([text, number]): [MigrationChannel, number][] => {
      const channel = known.get(number);
      const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
      return channel === undefined || port === 0 || port > 65_535 ? [] : [[channel, port]];
    }),
  );
}
