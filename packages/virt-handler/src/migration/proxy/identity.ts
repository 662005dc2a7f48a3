/**
 * Who may take part in a migration: the virt-handlers of its two nodes, each with a certificate for this and nothing
 * else. A third node's is refused: which two they are, virt-controller has written into the VMI. The
 * migration itself is part of the handshake (ALPN), so that a connection can only ever reach the migration and the
 * channel that it was made for.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateNames, MIGRATION_CHANNELS, type MigrationChannel } from '@podvisor/api';
import type { Uid } from '@podvisor/base';
import type { TlsIdentity } from '@podvisor/sys';

/** Who must be at the other end: what its certificate is for, and the node that it was given to. */
export interface MigrationPeer {
  readonly name: string;
  readonly node: string;
}

export const CLIENT_NAME = certificateNames.migrationClient;
export const SERVER_NAME = certificateNames.migrationServer;
/** The cheaper of two strong ones comes first: a gigabyte passes through here. */
const TLS_CIPHERS = 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384';

/** Read anew for each migration, so that renewed certificates need no restart. */
export function tlsIdentities(
  directory: string,
  role: 'client' | 'server',
  migrationUid: Uid,
): ReadonlyMap<MigrationChannel, TlsIdentity> {
  const read = (file: string): Buffer => readFileSync(join(directory, file));
  const common = {
    role,
    cert: read(`migration-${role}.crt`),
    key: read(`migration-${role}.key`),
    ca: read('ca.crt'),
    ciphers: TLS_CIPHERS,
  };
  return new Map(
    Object.values(MIGRATION_CHANNELS).map((channel) => [
      channel,
      { ...common, protocol: protocolName(migrationUid, channel) },
    ]),
  );
}

export function protocolName(migrationUid: Uid, channel: MigrationChannel): string {
  return `podvisor-migration/${migrationUid}/${channel}`;
}
