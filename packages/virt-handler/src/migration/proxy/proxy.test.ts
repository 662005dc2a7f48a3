import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { requireUid } from '@podvisor/base';
import { connect as connectTls } from 'node:tls';
import {
  certificateNames,
  MIGRATION_CHANNELS,
  type MigrationChannel,
  migrationSocketName,
  nodeUnit,
} from '@podvisor/api';
import { createCa, issueCertificate, type KeyPair } from '@podvisor/kube';
import { makeMigrationTls, type MigrationTls } from '../../testing/migration-tls.ts';
import { CLIENT_NAME, protocolName } from './identity.ts';
import { MigrationListeners } from './listeners.ts';
import { SourceSockets } from './source-sockets.ts';

const UID = requireUid('6f1c8a52-0000-4000-8000-000000000001');
const NODE = 'node-1';
const MEMORY = MIGRATION_CHANNELS.memory;
const log = { info: () => {}, warn: () => {}, error: () => {} };

describe('the way between two nodes', () => {
  let directory: string;
  let tls: MigrationTls;
  let qemu: Server;
  let dialled: MigrationChannel[];
  let listeners: MigrationListeners;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pvm-'));
    tls = makeMigrationTls(join(directory, 'tls'), NODE);
    mkdirSync(join(directory, 'sockets'));
    dialled = [];
    // Whatever is in the target Pod: it sends everything back.
    qemu = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.pipe(socket);
    });
    await new Promise<void>((resolve) => qemu.listen(join(directory, 'qemu.sock'), resolve));
    listeners = await MigrationListeners.open({
      address: '127.0.0.1',
      tlsDir: tls.directory,
      migrationUid: UID,
      sourceNode: NODE,
      dial: async (channel) => {
        dialled.push(channel);
        return connect({ path: join(directory, 'qemu.sock'), allowHalfOpen: true });
      },
      log,
    });
  });
  afterEach(async () => {
    await listeners.close();
    await new Promise((resolve) => qemu.close(resolve));
    rmSync(directory, { recursive: true });
  });

  const portOf = (channel: MigrationChannel): number =>
    Number(Object.entries(listeners.ports).find(([, c]) => c === channel)?.[0]);

  const source = (uid = process.getuid?.() ?? 0, node = NODE): Promise<SourceSockets> =>
    SourceSockets.open({
      directory: join(directory, 'sockets'),
      uid,
      isLauncher: (peer) => peer.uid === uid,
      tlsDir: tls.directory,
      migrationUid: UID,
      target: {
        node,
        address: '127.0.0.1',
        ports: new Map(Object.values(MIGRATION_CHANNELS).map((channel) => [channel, portOf(channel)])),
      },
      log,
    });

  const path = (channel: MigrationChannel): string =>
    join(directory, 'sockets', migrationSocketName(UID, channel, 'source'));

  test('bytes arrive whole, both ways, on the right channel; afterwards nothing is left', async () => {
    const sockets = await source();
    const sent = randomBytes(8 * 1024 * 1024);
    const back = await exchange(connect({ path: path(MEMORY), allowHalfOpen: true }), sent);
    assert.ok(back.equals(sent), `${back.length} bytes came back`);
    assert.deepEqual(dialled, [MEMORY]);
    await sockets.close();
    assert.ok(!existsSync(path(MEMORY)));
    const port = portOf(MEMORY);
    await listeners.close();
    await assert.rejects(exchange(connect({ host: '127.0.0.1', port }), Buffer.from('x')), /ECONNREFUSED/);
  });

  test('the source gives nothing to a virt-handler of another node than the target', async () => {
    const sockets = await source(undefined, 'node-2');
    const back = await exchange(
      connect({ path: path(MEMORY), allowHalfOpen: true }),
      randomBytes(1024),
    ).catch(() => Buffer.alloc(0));
    assert.equal(back.length, 0);
    await sockets.close();
  });

  test('a launcher that was taken over gets no more connections than a migration needs', async () => {
    const sockets = await source();
    const held: Socket[] = [];
    const isAnswered = (): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect({ path: path(MEMORY), allowHalfOpen: true });
        held.push(socket);
        socket.on('error', () => resolve(false));
        socket.once('close', () => resolve(false));
        socket.once('data', () => resolve(true));
        socket.write('hello');
      });
    let answered = 0;
    // A few at a time: more than some that have not shown who they are the target refuses anyway.
    for (let wave = 0; wave < 20; wave += 1)
      for (const isOne of await Promise.all(Array.from({ length: 16 }, isAnswered)))
        answered += isOne ? 1 : 0;
    assert.ok(answered >= 64 && answered <= 256, `${answered} connections at once`);
    for (const socket of held) socket.destroy();
    await sockets.close();
  });

  test('a side that reads slowly slows the other one down', async () => {
    const sockets = await source();
    const socket = connect({ path: path(MEMORY) });
    socket.pause(); // the echo is not read, so it piles up, and in the end nobody takes our bytes
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    const chunk = Buffer.alloc(1024 * 1024);
    let accepted = 0;
    const fill = async (): Promise<void> => {
      for (;;) {
        const isTaken = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(false), 1_000);
          socket.write(chunk, () => {
            clearTimeout(timer);
            resolve(true);
          });
        });
        if (!isTaken) return;
        accepted += chunk.length;
        assert.ok(accepted < 64 * 1024 * 1024, 'the proxy takes everything into its memory');
      }
    };
    await fill();
    socket.destroy();
    await sockets.close();
  });

  test('without the certificate, or with another’s, or for another migration, nothing is answered', async () => {
    const stranger = createCa({ commonName: 'stranger', now: Date.now() });
    const cases: readonly (readonly [string, KeyPair | undefined, string, number])[] = [
      ['no certificate', undefined, protocolName(UID, MEMORY), portOf(MEMORY)],
      ['a stranger’s CA', client(stranger, CLIENT_NAME), protocolName(UID, MEMORY), portOf(MEMORY)],
      ['virt-api', client(tls.ca, certificateNames.virtApiClient), protocolName(UID, MEMORY), portOf(MEMORY)],
      ['a third node', client(tls.ca, CLIENT_NAME, 'node:other'), protocolName(UID, MEMORY), portOf(MEMORY)],
      ['no node', client(tls.ca, CLIENT_NAME, ''), protocolName(UID, MEMORY), portOf(MEMORY)],
      [
        'another migration',
        client(tls.ca, CLIENT_NAME),
        protocolName(requireUid('6f1c8a52-0000-4000-8000-000000000009'), MEMORY),
        portOf(MEMORY),
      ],
      ['another channel', client(tls.ca, CLIENT_NAME), protocolName(UID, MEMORY), portOf(0)],
    ];
    for (const [what, pair, protocol, port] of cases) {
      const answer = await secretly(port, pair, protocol);
      assert.equal(answer.length, 0, `${what}: got ${answer.length} bytes`);
    }
    const silent = connect({ host: '127.0.0.1', port: portOf(MEMORY) });
    assert.equal(
      (await exchange(silent, Buffer.from('GET / HTTP/1.0\r\n\r\n')).catch(() => '')).includes('HTTP'),
      false,
    );
    assert.deepEqual(dialled, [], 'nobody reached the Pod');
  });

  for (const [who, from] of [
    ['somebody who holds connections open keeps only himself out', { localAddress: '127.0.0.2' }],
    ['somebody behind the source’s own address keeps nobody out either', {}],
  ] as const)
    test(who, async () => {
      const sockets = await source();
      const idle = Array.from({ length: 100 }, () => {
        const socket = connect({ host: '127.0.0.1', port: portOf(MEMORY), ...from });
        socket.on('error', () => {});
        return socket;
      });
      await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
      const sent = randomBytes(1024);
      const back = await exchange(connect({ path: path(MEMORY), allowHalfOpen: true }), sent);
      assert.ok(back.equals(sent), `${back.length} bytes came back`);
      for (const socket of idle) socket.destroy();
      await sockets.close();
    });

  test('strangers of however many addresses are few at once', async () => {
    const idle = Array.from({ length: 300 }, (_, i) => {
      const socket = connect({
        host: '127.0.0.1',
        port: portOf(MEMORY),
        localAddress: `127.0.1.${1 + Math.floor(i / 10)}`,
      });
      socket.on('error', () => {});
      return socket;
    });
    const closed = idle.map(
      (socket) => new Promise<void>((resolve) => socket.resume().once('close', () => resolve())),
    );
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    // The first of them went for the last; all others wait for their time.
    const gone = await Promise.race([
      Promise.all(closed.slice(0, 300 - 128)).then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5000)),
    ]);
    assert.equal(gone, true);
    assert.ok(idle.slice(-100).every((socket) => !socket.destroyed));
    for (const socket of idle) socket.destroy();
  });

  test('another user on the node does not get through the source’s socket', async () => {
    const sockets = await source(12_345);
    const answer = await exchange(connect({ path: path(MEMORY) }), Buffer.from('x')).catch(() =>
      Buffer.alloc(0),
    );
    assert.equal(answer.length, 0);
    assert.deepEqual(dialled, []);
    await sockets.close();
  });

  test('when one side breaks, so does the other', async () => {
    const sockets = await source();
    const socket = connect({ path: path(MEMORY) });
    socket.on('error', () => {});
    socket.write('x');
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    await listeners.close();
    await closed;
    await sockets.close();
  });

  function secretly(port: number, pair: KeyPair | undefined, protocol: string): Promise<Buffer> {
    const socket = connectTls({
      host: '127.0.0.1',
      port,
      ca: tls.ca.certificate,
      ...(pair === undefined ? {} : { cert: pair.certificate, key: pair.key }),
      ALPNProtocols: [protocol],
      checkServerIdentity: () => undefined,
    });
    return exchange(socket, Buffer.from('hello')).catch(() => Buffer.alloc(0));
  }
});

function client(ca: KeyPair, commonName: string, unit = nodeUnit(NODE)): KeyPair {
  return issueCertificate(ca, {
    commonName,
    organizationalUnits: unit === '' ? [] : [unit],
    usages: ['client'],
    now: Date.now(),
  });
}

/** Sends, ends, and answers all that came back. */
function exchange(socket: Socket, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.end(bytes);
  });
}
