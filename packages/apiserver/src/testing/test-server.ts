/** A server for tests: own certificates, a store in a temporary directory, a free port. */
import { systemClock } from '@podvisor/base';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCa, issueCertificate, type KeyPair } from '@podvisor/kube';
import { startApiServer } from '../index.ts';
import type { ApiServer, ApiServerOptions } from '../options.ts';

export interface TestServer extends AsyncDisposable {
  readonly server: ApiServer;
  /** Directory with ca.crt, admin.crt, admin.key and the store. */
  readonly directory: string;
  readonly ca: KeyPair;
  readonly admin: KeyPair;
}

export interface TestServerOptions {
  /** Kept when given; otherwise made and removed. */
  readonly directory?: string;
  readonly port?: number;
  readonly overrides?: Partial<ApiServerOptions>;
}

const quiet = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields: object, message: string) => console.error(message, fields),
};

export async function startTestServer({
  directory,
  port = 0,
  overrides = {},
}: TestServerOptions = {}): Promise<TestServer> {
  const home = directory ?? mkdtempSync(join(tmpdir(), 'podvisor-apiserver-'));
  const now = systemClock.now();
  const ca = createCa({ commonName: 'test-ca', now });
  const serving = issueCertificate(ca, {
    commonName: 'kube-apiserver',
    usages: ['server'],
    names: ['127.0.0.1', 'localhost'],
    now,
  });
  const admin = issueCertificate(ca, {
    commonName: 'admin',
    organizations: ['system:masters'],
    usages: ['client'],
    now,
  });
  const proxyCa = createCa({ commonName: 'front-proxy-ca', now });
  const proxy = issueCertificate(proxyCa, { commonName: 'front-proxy-client', usages: ['client'], now });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = await startApiServer({
    storePath: join(home, 'store.db'),
    host: '127.0.0.1',
    port,
    tls: { cert: serving.certificate, key: serving.key, clientCa: ca.certificate },
    frontProxy: { clientCert: proxy.certificate, clientKey: proxy.key, ca: proxyCa.certificate },
    serviceAccountKeys: { privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
    clock: systemClock,
    log: quiet,
    ...overrides,
  });
  for (const [name, content] of [
    ['ca.crt', ca.certificate],
    ['admin.crt', admin.certificate],
    ['admin.key', admin.key],
  ] as const) {
    writeFileSync(join(home, name), content, { mode: 0o600 });
  }
  return {
    server,
    directory: home,
    ca,
    admin,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      if (directory === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}
