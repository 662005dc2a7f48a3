import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { AddressRefused } from '@podvisor/sys';
import { openHttp } from './http.ts';

const asked: string[] = [];
let port = 0;
const server = createServer((request, response) => {
  asked.push(new URL(request.url ?? '/', 'http://x').pathname);
  const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
  if (to === null) response.end('bytes');
  else response.writeHead(302, { location: to }).end();
});
before(async () => {
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const { signal } = new AbortController();
const LOCAL = { headers: {}, policy: { allow: ['127.0.0.1/32'] } };

test('nothing is imported from the machine itself, however it is written', async () => {
  for (const host of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::ffff:7f00:1]',
    '0.0.0.0',
  ])
    await assert.rejects(
      openHttp({ url: `http://${host}:${port}/image`, headers: {} }, signal),
      AddressRefused,
      host,
    );
  await assert.rejects(
    openHttp({ url: 'http://169.254.169.254/latest/', headers: {} }, signal),
    AddressRefused,
  );
  assert.deepEqual(asked, []);
});

test('a redirect is checked as the first address is', async () => {
  const from = (to: string): string => `http://127.0.0.1:${port}/?to=${encodeURIComponent(to)}`;
  for (const to of [
    `http://127.0.0.2:${port}/secret`,
    `http://[::1]:${port}/secret`,
    'http://169.254.169.254/',
  ])
    await assert.rejects(openHttp({ url: from(to), ...LOCAL }, signal), AddressRefused, to);
  assert.ok(!asked.includes('/secret'));
  const source = await openHttp({ url: from(`http://127.0.0.1:${port}/image`), ...LOCAL }, signal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.read(0, signal)) chunks.push(chunk);
  assert.equal(Buffer.concat(chunks).toString(), 'bytes');
});
