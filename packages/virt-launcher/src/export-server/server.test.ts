import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { exportHandler } from './server.ts';

test('volumes are served to whoever has the token, and nothing outside of them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pv-export-'));
  const disk = join(home, 'disk');
  const files = join(home, 'files');
  mkdirSync(disk);
  mkdirSync(join(files, 'sub'), { recursive: true });
  writeFileSync(join(disk, 'disk.img'), 'guest data');
  writeFileSync(join(home, 'secret'), 'secret of the node');
  writeFileSync(join(files, 'sub', 'a.txt'), 'text');
  symlinkSync('../secret', join(files, 'leak'));
  symlinkSync('..', join(files, 'up'));
  linkSync(join(files, 'sub', 'a.txt'), join(files, 'b.txt'));
  const server = createServer(
    exportHandler({
      volumes: [
        { name: 'disk', path: disk, block: false },
        { name: 'files', path: files, block: false },
      ],
      manifests: { '/internal/manifests/all': 'kind: List\n' },
      token: () => 'right',
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = (path: string, token = 'right'): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-kubevirt-export-token': token } });
  try {
    assert.equal((await get('/exportready', '')).status, 200);
    assert.equal((await get('/volumes/disk/disk.img', 'wrong')).status, 401);
    assert.equal((await get('/volumes/disk/disk.img', '')).status, 401);
    assert.equal(await (await get('/volumes/disk/disk.img')).text(), 'guest data');
    const packed = Buffer.from(await (await get('/volumes/disk/disk.img.gz')).arrayBuffer());
    assert.equal(gunzipSync(packed).toString(), 'guest data');
    assert.equal(await (await get('/internal/manifests/all')).text(), 'kind: List\n');
    for (const path of ['leak', 'up/secret', '..%2Fsecret', '%2E%2E/secret'])
      assert.equal((await get(`/volumes/files/dir/${path}`)).status, 404, path);
    const page = await (await get('/volumes/files/dir/')).text();
    assert.match(page, /href="sub\/"/);
    assert.doesNotMatch(page, /leak|up/);
    assert.equal(await (await get('/volumes/files/dir/sub/a.txt')).text(), 'text');
    const tar = gunzipSync(Buffer.from(await (await get('/volumes/files/disk.tar.gz')).arrayBuffer()));
    assert.ok(tar.includes('sub/a.txt') && tar.includes('text') && !tar.includes('leak'));
    assert.equal((await get('/volumes/none/disk.img')).status, 404);
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(home, { recursive: true });
  }
});

const MEBIBYTE = 1024 * 1024;
const FORGED = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged';

/** What a client gets that asks for a disk, reads its head, lets `change` happen to the disk, and reads to the end. */
async function readWhile(change: (file: string) => void): Promise<{ head: string; body: Buffer }> {
  const home = mkdtempSync(join(tmpdir(), 'pv-export-'));
  const file = join(home, 'disk.img');
  // More than sockets hold: the server is in the middle of it while the client waits.
  writeFileSync(file, Buffer.alloc(32 * MEBIBYTE));
  const server = createServer(
    exportHandler({
      volumes: [{ name: 'disk', path: home, block: false }],
      manifests: {},
      token: () => 'right',
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    socket.write(
      'GET /volumes/disk/disk.img HTTP/1.1\r\nhost: x\r\nx-kubevirt-export-token: right\r\n\r\n' +
        'GET /exportready HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    );
    await once(socket, 'readable');
    const parts = [socket.read() as Buffer];
    change(file);
    for await (const chunk of socket) parts.push(chunk as Buffer);
    const all = Buffer.concat(parts);
    const end = all.indexOf('\r\n\r\n') + 4;
    return { head: all.toString('latin1', 0, end), body: all.subarray(end) };
  } finally {
    socket.destroy();
    server.close();
    server.closeAllConnections();
    rmSync(home, { recursive: true });
  }
}

test('a disk that grows while it is read does not answer the next request', { timeout: 30_000 }, async () => {
  const { head, body } = await readWhile((file) => appendFileSync(file, FORGED));
  assert.match(head, /content-length: 33554432/);
  const next = body.subarray(32 * MEBIBYTE).toString('latin1');
  assert.match(next, /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/plain[^]*ready/);
  assert.doesNotMatch(next, /forged/);
});

test('a disk that shrinks while it is read cuts the connection', { timeout: 30_000 }, async () => {
  const { body } = await readWhile((file) => truncateSync(file, MEBIBYTE));
  assert.ok(body.length < 32 * MEBIBYTE);
  assert.equal(body.includes('ready'), false, 'the next answer is no part of the disk');
});
