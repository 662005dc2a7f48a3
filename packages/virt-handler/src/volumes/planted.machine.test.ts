/** Things in a claim that a tenant put in the place of the disk: none of them is ever shown to a launcher. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireDnsLabel } from '@podvisor/base';
import { openDirectory } from '@podvisor/sys';
import { openImage } from './attachment.ts';
import { unplug } from './plug.ts';

const DATA = requireDnsLabel('data');
const plants: readonly (readonly [string, RegExp, (path: string) => unknown])[] = [
  ['a symbolic link', /is a symbolic link/, (path) => symlinkSync('/etc/shadow', path)],
  [
    'a link to a file beside it',
    /is a symbolic link/,
    (path) => {
      writeFileSync(`${path}.real`, '');
      symlinkSync('disk.img.real', path);
    },
  ],
  [
    'a hard link',
    /has 2 names/,
    (path) => {
      writeFileSync(`${path}.other`, '');
      linkSync(`${path}.other`, path);
    },
  ],
  ['a pipe', /a pipe or a socket/, (path) => execFileSync('mkfifo', [path])],
  ['a block device', /not a file but a device/, (path) => execFileSync('mknod', [path, 'b', '7', '0'])],
  ['a character device', /not a file but a device/, (path) => execFileSync('mknod', [path, 'c', '1', '5'])],
  ['a directory', /is a directory/, (path) => mkdirSync(path)],
];
for (const [name, pattern, plant] of plants)
  test(`${name} is not plugged`, async () => {
    const claim = mkdtempSync(join(tmpdir(), 'pv-planted-'));
    try {
      await plant(join(claim, 'disk.img'));
      using directory = openDirectory(claim);
      assert.throws(() => openImage(directory, DATA), pattern);
    } finally {
      rmSync(claim, { recursive: true });
    }
  });

test('a socket is not plugged, a plain file is', async () => {
  const claim = mkdtempSync(join(tmpdir(), 'pv-planted-'));
  const server = createServer();
  try {
    await new Promise<void>((resolve) => server.listen(join(claim, 'disk.img'), resolve));
    using directory = openDirectory(claim);
    assert.throws(() => openImage(directory, DATA), /a pipe or a socket/);
    await new Promise((resolve) => server.close(resolve));
    assert.throws(() => openImage(directory, DATA), /ENOENT/);
    writeFileSync(join(claim, 'disk.img'), '');
    openImage(directory, DATA).close();
  } finally {
    server.close();
    rmSync(claim, { recursive: true });
  }
});

test('a claim is unplugged whatever the launcher put in its place, and nothing that is there is looked into', () => {
  const root = mkdtempSync(join(tmpdir(), 'pv-planted-'));
  try {
    const plugged = join(root, 'hotplug-disks');
    mkdirSync(join(plugged, 'data.img/full'), { recursive: true });
    mkdirSync(join(plugged, 'memory'));
    symlinkSync(root, join(plugged, 'memory/out'));
    unplug(plugged, undefined, { volume: DATA });
    unplug(plugged, undefined, { volume: requireDnsLabel('memory'), directory: true });
    for (const name of ['data.img', 'memory']) assert.ok(!existsSync(join(plugged, name)), name);
    assert.ok(existsSync(plugged));
  } finally {
    rmSync(root, { recursive: true });
  }
});
