/**
 * Who may take part in a migration: the two virt-handlers, each with a certificate for this and nothing else. The
 * migration itself is part of the handshake (ALPN), so that a connection can only ever reach the migration and the
 * channel that it was made for.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationChannel } from '@podvisor/api';

export const CLIENT_NAME = 'kubevirt.io:system:client:migration';
export const SERVER_NAME = 'kubevirt.io:system:node:migration';
export const TLS_VERSION = 'TLSv1.3';
/** The cheaper of two strong ones comes first: a gigabyte passes through here. */
export const TLS_CIPHERS = 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384';

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

/** Read anew for each migration, so that renewed certificates need no restart. */
export function tlsFiles(directory: string, role: 'client' | 'server'): TlsFiles {
  const read = (file: string): Buffer => readFileSync(join(directory, file));
  return { cert: read(`migration-${role}.crt`), key: read(`migration-${role}.key`), ca: read('ca.crt') };
}

export function protocolName(migrationUid: string, channel: MigrationChannel): string {
  return `podvisor-migration/${migrationUid}/${channel}`;
}
