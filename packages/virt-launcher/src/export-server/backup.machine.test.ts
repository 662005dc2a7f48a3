/** A pulled backup against a real NBD server. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { exportHandler } from './server.ts';

const MIB = 1024 * 1024;

describe('a backup that is pulled', { timeout: 60_000 }, () => {
  let directory: string;
  let nbd: ChildProcess;
  const server = createServer();
  const get = (path: string, token = 'right'): Promise<Response> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      headers: { 'x-kubevirt-export-token': token },
    });

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pv-pull-'));
    const disk = join(directory, 'disk.qcow2');
    const socket = join(directory, 'nbd.sock');
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', disk, '8M']);
    execFileSync('qemu-io', ['-f', 'qcow2', '-c', 'write -P 1 0 1M', disk]);
    execFileSync('qemu-img', ['bitmap', '--add', '-f', 'qcow2', disk, 'changed']);
    execFileSync('qemu-io', ['-f', 'qcow2', '-c', 'write -P 2 4M 128k', disk]);
    nbd = spawn(
      'qemu-nbd',
      ['-r', '-t', '-e', '4', '-f', 'qcow2', '-x', 'data', '-B', 'changed', '-k', socket, disk],
      {
        stdio: 'ignore',
      },
    );
    while (!existsSync(socket)) await delay(10);
    server.on(
      'request',
      exportHandler({
        volumes: [],
        backups: [
          { name: 'data', socket },
          { name: 'since', socket: join(directory, 'none') },
        ],
        manifests: {},
        token: () => 'right',
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    nbd.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  test('its bytes are served whole and in parts, with the token only', async () => {
    assert.equal((await get('/backups/data/data', 'wrong')).status, 401);
    const whole = Buffer.from(await (await get('/backups/data/data')).arrayBuffer());
    assert.equal(whole.length, 8 * MIB);
    assert.deepEqual([whole[0], whole[4 * MIB], whole[4 * MIB + 128 * 1024]], [1, 2, 0]);
    const part = await (await get(`/backups/data/data?offset=${4 * MIB - 1}&length=3`)).arrayBuffer();
    assert.deepEqual([...Buffer.from(part)], [0, 2, 2]);
    assert.equal((await get('/backups/data/data?offset=-1')).status, 400);
    assert.equal((await get('/backups/data/other')).status, 404);
    assert.equal((await get('/backups/none/data')).status, 404);
    // Whatever is broken behind it is not told to a client.
    assert.equal((await get('/backups/since/data')).status, 500);
  });

  test('its map tells where data is, page by page', async () => {
    const page = (await (await get('/backups/data/map?page_size=1')).json()) as {
      readonly extents: readonly object[];
      readonly next_offset: number | null;
    };
    assert.deepEqual(page, {
      extents: [{ offset: 0, length: MIB, type: 0, description: 'data' }],
      next_offset: MIB,
    });
    const rest = (await (await get(`/backups/data/map?offset=${MIB}`)).json()) as typeof page;
    assert.deepEqual(
      [rest.next_offset, rest.extents],
      [
        null,
        [
          { offset: MIB, length: 3 * MIB, type: 3, description: 'hole,zero' },
          { offset: 4 * MIB, length: 128 * 1024, type: 0, description: 'data' },
          { offset: 4 * MIB + 128 * 1024, length: 4 * MIB - 128 * 1024, type: 3, description: 'hole,zero' },
        ],
      ],
    );
  });

  test('with a bitmap it tells what changed', async () => {
    const { serveBackup } = await import('./backup.ts');
    const one = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://x');
      void serveBackup(
        { name: 'data', socket: join(directory, 'nbd.sock'), bitmap: 'changed' },
        'map',
        url,
        request,
        response,
      );
    }).listen(0, '127.0.0.1');
    await once(one, 'listening');
    const { port } = one.address() as AddressInfo;
    const { extents } = (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as { extents: object[] };
    one.close();
    assert.deepEqual(extents, [
      { offset: 0, length: 4 * MIB, type: 0, description: 'clean' },
      { offset: 4 * MIB, length: 128 * 1024, type: 1, description: 'dirty' },
      { offset: 4 * MIB + 128 * 1024, length: 4 * MIB - 128 * 1024, type: 0, description: 'clean' },
    ]);
  });
});
