import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runConfined } from './confined.ts';
import { run } from '../processes/run.ts';

test('a tool does its work and is heard', async () => {
  let heard = '';
  const options = { onOutput: (text: string) => (heard += text) };
  assert.equal(await runConfined('/bin/echo', ['hello'], options), 'hello\n');
  assert.equal(heard, 'hello\n');
});

test('no network, no privileges', async () => {
  const server = createServer((_, response) => response.end('secret')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const url = `http://127.0.0.1:${port}`;
    assert.equal((await run('curl', ['-s', url])).stdout, 'secret');
    await assert.rejects(runConfined('/usr/bin/curl', ['-s', url]), { kind: 'failed' });
  } finally {
    server.close();
  }
  const status = await runConfined('/bin/cat', ['/proc/self/status']);
  assert.match(status, /NoNewPrivs:\t1/);
  assert.match(status, /Seccomp:\t2/);
});

test('memory, size and time are limited', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-confined-'));
  try {
    const limits = { fileSizeBytes: 1 << 20 };
    const dd = ['if=/dev/zero', `of=${join(directory, 'f')}`, 'bs=1M', 'count=4'];
    await assert.rejects(runConfined('/bin/dd', dd, { limits }), /beyond its limit|File too large/);
    const hungry = ['if=/dev/zero', 'of=/dev/null', 'bs=900M', 'count=1'];
    await assert.rejects(
      runConfined('/bin/dd', hungry, { limits: { addressSpaceBytes: 256 << 20 } }),
      /memory exhausted/,
    );
    await assert.rejects(runConfined('/bin/sleep', ['60'], { timeoutMs: 300 }), { kind: 'timeout' });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
