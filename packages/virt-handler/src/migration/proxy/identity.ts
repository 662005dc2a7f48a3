/**
 * Who may take part in a migration: the two virt-handlers, each with a certificate for this and nothing else. The
 * migration itself is part of the handshake (ALPN), so that a connection can only ever reach the migration and the
 * channel that it was made for.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATION_CHANNELS, type MigrationChannel } from '@podvisor/api';
import type { Uid } from '@podvisor/base';
import type { TlsIdentity } from '@podvisor/sys';

export const CLIENT_NAME = 'kubevirt.io:system:client:migration';
export const SERVER_NAME = 'kubevirt.io:system:node:migration';
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
