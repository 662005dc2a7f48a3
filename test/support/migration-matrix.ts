/** Who gets through the listener of a migration, opened as virt-handler of the target opens it. */
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { requireUid } from '@podvisor/base';
import { protocolName } from '../../packages/virt-handler/src/migration/proxy/identity.ts';
import { MigrationListeners } from '../../packages/virt-handler/src/migration/proxy/listeners.ts';
import type { Credential } from './credentials.ts';

const UID = requireUid('5f0c2a9e-7f5d-4a53-9c3e-0d6a5f4f2b11', 'migration');
const OTHER = requireUid('11111111-7f5d-4a53-9c3e-0d6a5f4f2b11', 'migration');
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Names of the credentials that reach the target Pod's socket of a migration from `sourceNode`. */
export async function whoGetsThrough(
  tlsDir: string,
  sourceNode: string,
  credentials: readonly Credential[],
): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-migration-'));
  const echo = createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket));
  echo.listen(join(directory, 'qemu.sock'));
  await once(echo, 'listening');
  const listeners = await MigrationListeners.open({
    address: '127.0.0.1',
    tlsDir,
    migrationUid: UID,
    sourceNode,
    dial: () => Promise.resolve(connect({ path: join(directory, 'qemu.sock'), allowHalfOpen: true })),
    log: quiet,
  });
  try {
    const through: string[] = [];
    for (const [port, channel] of Object.entries(listeners.ports))
      for (const credential of credentials) {
        const place = { port: Number(port), credential };
        if (await isEchoed({ ...place, protocol: protocolName(UID, channel) })) through.push(credential.name);
        for (const protocol of [protocolName(OTHER, channel), undefined])
          if (await isEchoed({ ...place, protocol }))
            through.push(`${credential.name} for another migration`);
      }
    return [...new Set(through)];
  } finally {
    await listeners.close();
    echo.close();
    rmSync(directory, { recursive: true });
  }
}

interface Attempt {
  readonly port: number;
  readonly credential: Credential;
  readonly protocol: string | undefined;
}

function isEchoed({ port, credential, protocol }: Attempt): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({
      host: '127.0.0.1',
      port,
      ...credential.certificate,
      ...(protocol === undefined ? {} : { ALPNProtocols: [protocol] }),
      rejectUnauthorized: false, // who answers is not the question here
    });
    const end = (isThrough: boolean): void => {
      socket.destroy();
      resolve(isThrough);
    };
    socket.setTimeout(5_000, () => end(false));
    socket.once('secureConnect', () => socket.write('x'));
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
