import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { feed } from './feed.ts';

/** A QEMU that does this with its connection. */
async function qemu(t: TestContext, behave: (socket: Socket) => void): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'pv-feed-'));
  const server = createServer({ allowHalfOpen: true }, behave).listen(join(directory, 'state'));
  await once(server, 'listening');
  t.after(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });
  return join(directory, 'state');
}

test('a QEMU that has read all closes its side before the state says that it is at its end', {
  timeout: 10_000,
}, async (t) => {
  let received = 0;
  const closed = Promise.withResolvers<void>();
  const path = await qemu(t, (socket) =>
    socket.on('data', (data) => {
      received += data.length;
      if (received === 5_000) socket.end(closed.resolve);
    }),
  );
  async function* slow(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(5_000);
    await closed.promise;
    // The end is with the kernel: it is read when the loop has been around once.
    for (let rounds = 0; rounds < 2; rounds += 1) await new Promise(setImmediate);
  }
  await feed(path, slow());
  assert.equal(received, 5_000);
});

test('a QEMU that dies on the way is an error', { timeout: 10_000 }, async (t) => {
  const path = await qemu(t, (socket) => socket.once('data', () => socket.destroy()));
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      yield Buffer.alloc(100_000);
      await delay(1);
    }
  }
  await assert.rejects(feed(path, endless()), /EPIPE|ECONNRESET/);
});
