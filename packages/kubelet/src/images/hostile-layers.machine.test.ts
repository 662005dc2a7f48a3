/**
 * Layers that try to reach out of their directory, and images whose disk is something else than a file
 * (CVE-2022-1798, CVE-2025-64433 and their kind). Needs root, as the kubelet does.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findContainerDisk, inspectImage } from '@podvisor/storage';
import { mountForeign, unmountBelow } from '@podvisor/sys';
import { unpackLayer } from './unpack.ts';

let root: string;
let layer: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-layers-'));
  layer = join(root, 'layers/sha256-1');
  writeFileSync(join(root, 'secret'), 'secret');
  mkdirSync(join(root, 'foreign'));
  writeFileSync(join(root, 'foreign/.wh.secret'), '');
});
afterEach(async () => {
  await unmountBelow(root);
  rmSync(root, { recursive: true });
});

interface Member {
  readonly name: string;
  /** ustar: 0 file, 1 hard link, 2 symbolic link, 3 character device, 6 pipe. */
  readonly type: '0' | '1' | '2' | '3' | '6';
  readonly link?: string;
  readonly content?: string;
}

/** A tar archive of exactly these members, however wrong; tools refuse to make them. */
function tarOf(members: readonly Member[]): string {
  const blocks: Buffer[] = [];
  for (const { name, type, link = '', content = '' } of members) {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000755\0', 100);
    header.write('0000000\0', 108);
    header.write('0000000\0', 116);
    header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(link, 157);
    header.write('ustar\0', 257);
    header.write('00', 263);
    header.write('0000001\0', 329);
    header.write('0000003\0', 337);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
    body.write(content);
    blocks.push(header, body);
  }
  const path = join(root, 'layer.tar');
  writeFileSync(path, Buffer.concat([...blocks, Buffer.alloc(1024)]));
  return path;
}

/** Unpacks; whether it is refused or made harmless, nothing outside may have changed. */
async function unpack(members: readonly Member[]): Promise<boolean> {
  let accepted = true;
  await unpackLayer(tarOf(members), layer).catch(() => (accepted = false));
  assert.equal(readFileSync(join(root, 'secret'), 'utf8'), 'secret');
  assert.deepEqual(readdirSync(join(root, 'foreign')), ['.wh.secret']);
  const outside = readdirSync(root).filter(
    (name) => !['secret', 'foreign', 'layer.tar', 'layers'].includes(name),
  );
  assert.deepEqual(outside, [], 'nothing was written outside');
  if (!accepted) assert.deepEqual(readdirSync(join(root, 'layers')), [], 'nothing half made is left');
  return accepted;
}

const attacks: readonly (readonly [string, () => readonly Member[]])[] = [
  ['a name with ..', () => [{ name: '../../../evil', type: '0', content: 'x' }]],
  ['an absolute name', () => [{ name: join(root, 'evil'), type: '0', content: 'x' }]],
  [
    'a file through a link that leads out',
    () => [
      { name: 'out', type: '2', link: root },
      { name: 'out/evil', type: '0', content: 'x' },
    ],
  ],
  [
    'a file over a link to a file outside',
    () => [
      { name: 'link', type: '2', link: join(root, 'secret') },
      { name: 'link', type: '0', content: 'overwritten' },
    ],
  ],
  [
    'a hard link to a file outside, then written',
    () => [
      { name: 'link', type: '1', link: '../../../secret' },
      { name: 'link', type: '0', content: 'overwritten' },
    ],
  ],
  [
    'links that lead in circles, and deletions that only a walk through them would find',
    () => [
      { name: 'one', type: '2', link: '.' },
      { name: 'two', type: '2', link: '.' },
      { name: 'out', type: '2', link: join(root, 'foreign') },
    ],
  ],
  ['a deletion of the directory above', () => [{ name: '.wh...', type: '0' }]],
  ['a deletion without a name', () => [{ name: 'a/.wh.', type: '0' }]],
];
for (const [name, members] of attacks)
  test(`a layer with ${name} changes nothing outside`, async () => {
    await unpack(members());
    const linked = join(layer, 'files/link');
    if (existsSync(linked))
      assert.ok(lstatSync(linked).isSymbolicLink() || readFileSync(linked, 'utf8') !== 'secret');
  });

test('a disk that is a pipe, a device or a link out of the image is refused', async () => {
  assert.ok(
    await unpack([
      { name: 'disk/pipe', type: '6' },
      { name: 'disk/device', type: '3' },
      { name: 'disk/link', type: '2', link: '/etc/shadow' },
      { name: 'disk/up', type: '2', link: '../../../../../../../etc/passwd' },
    ]),
  );
  const image = join(root, 'image');
  mkdirSync(image);
  mountForeign(join(layer, 'files'), image);
  assert.throws(
    () => readFileSync(join(image, 'disk/device')),
    { code: 'EACCES' },
    'devices mean nothing there',
  );
  assert.throws(() => findContainerDisk(image, '/disk/device'), /cannot be opened|not a regular file/);
  // A pipe without a writer must not keep anybody waiting.
  assert.throws(() => findContainerDisk(image, '/disk/pipe'), /not a regular file/);
  for (const path of ['/disk/link', '/disk/up'])
    assert.throws(() => findContainerDisk(image, path), /cannot be opened/);
  assert.throws(() => findContainerDisk(image, '/disk/missing'), /cannot be opened inside the image/);
  assert.throws(() => findContainerDisk(image), /exactly one file in \/disk, but it holds 4/);
});

test('what a tenant plants in place of a disk is not opened', () => {
  const volume = join(root, 'volume');
  mkdirSync(volume);
  symlinkSync(join(root, 'secret'), join(volume, 'disk.img'));
  assert.throws(() => findContainerDisk(volume, 'disk.img'), /cannot be opened/);
  execFileSync('mkfifo', [join(volume, 'pipe')]);
  assert.throws(() => findContainerDisk(volume, 'pipe'), /not a regular file/);
  writeFileSync(join(volume, 'empty'), '');
  assert.throws(() => inspectImage(join(volume, 'empty')), /the disk image is empty/);
});
