import assert from 'node:assert/strict';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
