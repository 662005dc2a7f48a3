import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { requireUid } from '@podvisor/base';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { MIGRATION_CHANNELS } from '@podvisor/api';
import { issueCertificate, type KeyPair } from '@podvisor/kube';
import { TlsContext } from '@podvisor/sys';
import { makeMigrationTls, type MigrationTls } from '../../testing/migration-tls.ts';
import { Carrier, type SecuredConnection } from './carrier.ts';
import { CLIENT_NAME, protocolName, tlsIdentities } from './identity.ts';

const UID = requireUid('6f1c8a52-0000-4000-8000-000000000002');
const CHANNEL = MIGRATION_CHANNELS.memory;

/** The carrier's end is OpenSSL called directly; the other end here is Node's, which knows nothing of it. */
describe('the thread that carries a migration', { timeout: 30_000 }, () => {
  let directory: string;
  let tls: MigrationTls;

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'pvc-'));
    tls = makeMigrationTls(directory, 'source');
  });
  after(() => rmSync(directory, { recursive: true }));

  const start = (handshakeMs = 10_000): Carrier =>
    new Carrier({
      identities: tlsIdentities(directory, 'server', UID),
      peer: { name: CLIENT_NAME, node: 'source' },
      handshakeMs,
    });

  const client = (usage: 'client' | 'server' = 'client'): KeyPair =>
    issueCertificate(tls.ca, {
      commonName: CLIENT_NAME,
      organizationalUnits: ['node:source'],
      usages: [usage],
      now: Date.now(),
    });

  const dial = (port: number, pair: KeyPair, options: object = {}): Socket => {
    const socket = connectTls({
      host: '127.0.0.1',
      port,
      ca: tls.ca.certificate,
      cert: pair.certificate,
      key: pair.key,
      ALPNProtocols: [protocolName(UID, CHANNEL)],
      checkServerIdentity: () => undefined,
      ...options,
    });
    socket.on('error', () => {});
    return socket;
  };

  test('much data, more than any buffer, both ways at once; every descriptor is given back', async () => {
    const open = readdirSync('/proc/self/fd').length;
    const carrier = start();
    const network = await listening();
    const echo = await listening((socket) => socket.pipe(socket));
    const came = network.next();
    const peer = dial(network.port, client());
    const secured = await carrier.secure(CHANNEL, await came);
    const pod = connect({ port: echo.port, host: '127.0.0.1' });
    pod.pause();
    await new Promise<void>((resolve) => pod.once('connect', resolve));
    secured.join(pod);
    const sent = randomBytes(6 * 1024 * 1024);
    const chunks: Buffer[] = [];
    peer.on('data', (chunk: Buffer) => chunks.push(chunk));
    const closed = new Promise<void>((resolve) => peer.once('close', () => resolve()));
    peer.end(sent);
    await closed;
    assert.ok(Buffer.concat(chunks).equals(sent), 'other bytes came back');
    await carrier.close();
    await Promise.all([network.close(), echo.close()]);
    // Node closes its own in its own time.
    const late = Date.now() + 10_000;
    while (readdirSync('/proc/self/fd').length > open && Date.now() < late) await setImmediate();
    assert.ok(readdirSync('/proc/self/fd').length <= open, 'descriptors are left');
  });

  test('refused: a certificate for servers, an older TLS, a peer that says nothing, one without a protocol', async () => {
    const carrier = start(300);
    const network = await listening();
    const refused = async (peer: Socket, why: RegExp): Promise<void> => {
      await assert.rejects(carrier.secure(CHANNEL, await network.next()), why);
      peer.destroy();
    };
    await refused(dial(network.port, client('server')), /certificate|purpose/i);
    await refused(dial(network.port, client(), { maxVersion: 'TLSv1.2' }), /version|protocol/i);
    await refused(dial(network.port, client(), { ALPNProtocols: undefined }), /does not name the migration/);
    await refused(connect(network.port, '127.0.0.1'), /says nothing/);
    await carrier.close();
    await network.close();
  });

  test('when the carrier closes, everything on it breaks, and what comes later is refused', async () => {
    const carrier = start();
    const network = await listening();
    const came = network.next();
    const peer = dial(network.port, client());
    const told = Promise.withResolvers<void>();
    const secured: SecuredConnection = await carrier.secure(CHANNEL, await came, told.resolve);
    const closed = new Promise<void>((resolve) => peer.once('close', () => resolve()));
    peer.resume();
    await carrier.close();
    await Promise.all([closed, told.promise]);
    secured.drop(); // too late, and no harm
    dial(network.port, client());
    await assert.rejects(carrier.secure(CHANNEL, await network.next()), /over/);
    await network.close();
  });

  test('a key that cannot be read is told', () => {
    const [identity] = tlsIdentities(directory, 'server', UID).values();
    assert.ok(identity !== undefined);
    assert.throws(
      () => new TlsContext({ ...identity, key: Buffer.from('nonsense') }),
      /read a certificate or key/,
    );
  });
});

/** A listener whose connections are handed out unread. */
async function listening(take?: (socket: Socket) => void): Promise<{
  readonly port: number;
  next(): Promise<Socket>;
  close(): Promise<void>;
}> {
  const waiting: ((socket: Socket) => void)[] = [];
  const arrived: Socket[] = [];
  const server: Server = createServer(
    { allowHalfOpen: true, pauseOnConnect: take === undefined },
    (socket) => {
      socket.on('error', () => {});
      if (take !== undefined) return take(socket);
      const first = waiting.shift();
      if (first === undefined) arrived.push(socket);
      else first(socket);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    next: () => {
      const first = arrived.shift();
      return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
