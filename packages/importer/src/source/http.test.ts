import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
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

test('headers and signatures go to the origin that they were meant for, and nowhere else', async () => {
  const seen: { readonly path: string; readonly headers: Record<string, unknown> }[] = [];
  const serve = (): Server =>
    createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
      const to = searchParams.get('to');
      seen.push({ path: pathname, headers: request.headers });
      if (to === null) response.end('bytes');
      else response.writeHead(307, { location: to }).end();
    });
  await using mine = await listening(serve());
  await using other = await listening(serve());
  const path = (to: string, name = 'step'): string => `/${name}?to=${encodeURIComponent(to)}`;
  const SECRET = {
    authorization: 'Basic c2VjcmV0',
    cookie: 'session=1',
    'x-api-key': 'secret',
    'x-vault-token': 'secret',
  };
  const secretsAt = (name: string): unknown[] =>
    seen
      .filter((request) => request.path === `/${name}`)
      .map(({ headers }) =>
        ['authorization', 'cookie', 'x-api-key', 'x-vault-token'].filter((key) => key in headers),
      );
  const all = Object.keys(SECRET).toSorted();

  const away = `${other.url}/away`;
  await openHttp({ url: mine.url + path(path(away)), ...LOCAL, headers: SECRET }, signal);
  assert.deepEqual(secretsAt('step'), [all, all], 'a redirect within the origin');
  assert.deepEqual(secretsAt('away'), [[]]);

  const back = other.url + path(`${mine.url}/back`, 'there');
  await openHttp({ url: mine.url + path(back), ...LOCAL, headers: SECRET }, signal);
  assert.deepEqual(secretsAt('there'), [[]]);
  assert.deepEqual(secretsAt('back'), [[]], 'what a stranger asks for is asked for without them');

  const signed: string[] = [];
  const sign = (wanted: Readonly<Record<string, string>>, url: string): Readonly<Record<string, string>> => {
    signed.push(new URL(url).pathname);
    return { ...wanted, 'x-amz-security-token': 'secret' };
  };
  const bucket = mine.url + path(path(`${other.url}/copy`, 'region'), 'bucket');
  await openHttp({ url: bucket, ...LOCAL, headers: {}, sign }, signal);
  assert.deepEqual(signed, ['/bucket', '/region'], 'each request has a signature of its own');
  assert.equal(seen.at(-1)?.path, '/copy');
  assert.ok(!('x-amz-security-token' in (seen.at(-1)?.headers ?? {})));
});

test('redirects end', async () => {
  let steps = 0;
  await using round = await listening(
    createServer((_, response) => void response.writeHead(302, { location: `/${(steps += 1)}` }).end()),
  );
  await assert.rejects(openHttp({ url: `${round.url}/`, ...LOCAL }, signal), /more than 5 redirects/);
  assert.equal(steps, 6);
  for (const location of ['file:///etc/passwd', 'http://', 'nbd://127.0.0.1/'])
    await assert.rejects(
      openHttp({ url: `http://127.0.0.1:${port}/?to=${encodeURIComponent(location)}`, ...LOCAL }, signal),
      /leads to .*, which is no address of the web/,
      location,
    );
});

async function listening(at: Server): Promise<AsyncDisposable & { readonly url: string }> {
  at.listen(0, '127.0.0.1');
  await once(at, 'listening');
  return {
    url: `http://127.0.0.1:${(at.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      at.closeAllConnections();
      at.close();
      await once(at, 'close');
    },
  };
}
