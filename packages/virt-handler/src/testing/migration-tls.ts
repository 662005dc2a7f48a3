/** A directory with the certificates of migration, as virt-handler's TLS directory has them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeUnit } from '@podvisor/api';
import { createCa, issueCertificate, type KeyPair } from '@podvisor/kube';
import { CLIENT_NAME, SERVER_NAME } from '../migration/proxy/identity.ts';

export interface MigrationTls {
  readonly directory: string;
  readonly ca: KeyPair;
}

export function makeMigrationTls(directory: string, node: string): MigrationTls {
  const now = Date.now();
  const ca = createCa({ commonName: 'kubevirt.io', now });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'ca.crt'), ca.certificate);
  for (const [file, commonName, usage] of [
    ['migration-client', CLIENT_NAME, 'client'],
    ['migration-server', SERVER_NAME, 'server'],
  ] as const) {
    const pair = issueCertificate(ca, {
      commonName,
      organizationalUnits: [nodeUnit(node)],
      usages: [usage],
      now,
    });
    writeFileSync(join(directory, `${file}.crt`), pair.certificate);
    writeFileSync(join(directory, `${file}.key`), pair.key);
  }
  return { directory, ca };
}
