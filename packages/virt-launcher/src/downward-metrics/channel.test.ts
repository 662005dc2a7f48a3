import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { MetricsChannel } from './channel.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

test('a guest gets one report a second, and a sentence for nonsense', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'metrics-'));
  const path = join(directory, 'sock');
  const server = createServer();
  const clock = new FakeClock(5_000);
  let reports = 0;
  const channel = new MetricsChannel({
    path,
    report: async () => `<metrics>${(reports += 1)}</metrics>\n`,
    clock,
    log,
  });
  try {
    const guest = await new Promise<Socket>((resolve) => {
      server.listen(path, () => channel.connect());
      server.once('connection', resolve);
    });
    let heard = '';
    let heardMore = (): void => {};
    guest.on('data', (bytes: Buffer) => {
      heard += bytes.toString();
      heardMore();
    });
    const hears = async (text: string): Promise<void> => {
      while (!heard.includes(text)) await new Promise<void>((resolve) => (heardMore = resolve));
    };
    guest.write('hello\n\n');
    await hears('INVALID REQUEST\n\n');
    guest.write('GET /metrics/XML\n\n');
    await hears('<metrics>1</metrics>\n\n');
    guest.write('GET /metrics/XML\n\n'.repeat(2));
    // The second report waits for the clock alone; an invalid request is answered meanwhile.
    guest.write('nonsense\n\n');
    heard = '';
    await hears('INVALID REQUEST');
    assert.equal(reports, 1);
    clock.advance(1_000);
    await hears('<metrics>2</metrics>\n\n');
  } finally {
    channel.close();
    server.close();
    rmSync(directory, { recursive: true });
  }
});

test('a guest that asks nonsense without end and reads no answer is listened to no further', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'metrics-'));
  const path = join(directory, 'sock');
  const server = createServer();
  const channel = new MetricsChannel({ path, report: async () => '', clock: new FakeClock(0), log });
  const guest = await new Promise<Socket>((resolve) => {
    server.listen(path, () => channel.connect());
    server.once('connection', resolve);
  });
  t.after(() => {
    guest.destroy();
    channel.close();
    server.close();
    rmSync(directory, { recursive: true });
  });
  guest.pause();
  // Each line end of these is answered with seventeen bytes.
  const all = 64;
  let taken = 0;
  for (let n = 0; n < all; n++) guest.write(Buffer.alloc(64 * 1024, '\n'), () => (taken += 1));
  const until = Date.now() + 3_000;
  while (taken < all && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(taken < all / 2, `${taken} of ${all} pieces were taken`);
});
