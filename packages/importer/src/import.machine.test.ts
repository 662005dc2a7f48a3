/** Imports with the real tools (qemu-img, xz, zstd), from a web server on loopback. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeFilesystemImage, unmountBelow } from '@podvisor/sys';
import { importArchive } from './archive.ts';
import { importStream, type ImportOptions } from './import.ts';
import { Progress } from './progress.ts';
import { openHttp } from './source/http.ts';
import { SourceChangedError } from './source/source.ts';
import { serveFile } from './testing/file-server.ts';

const SIZE = 24 << 20;
const { signal } = new AbortController();
/** The servers of these tests listen on the loopback address. */
const LOCAL = { headers: {}, policy: { allow: ['127.0.0.0/8'] } };
let root: string;
let raw: string;
let directory: string;

before(() => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-import-'));
  raw = join(root, 'disk.raw');
  const bytes = Buffer.alloc(SIZE);
  for (let i = 0; i < 4 << 20; i += 4) bytes.writeUInt32LE((i * 2654435761) >>> 0, i);
  bytes.write('the end', SIZE - 7);
  writeFileSync(raw, bytes);
});
after(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  directory = mkdtempSync(join(root, 'claim-'));
});

const made = (format: string): Buffer => {
  const path = join(root, `disk.${format}`);
  if (!existsSync(path)) execFileSync('qemu-img', ['convert', '-f', 'raw', '-O', format, raw, path]);
  return readFileSync(path);
};
const options = (more: Partial<ImportOptions> = {}, checksum?: string): ImportOptions => ({
  job: { volumeMode: 'Filesystem', capacityBytes: 32 << 20, ...(checksum === undefined ? {} : { checksum }) },
  directory,
  device: '',
  progress: new Progress(
    () => undefined,
    () => 0,
  ),
  name: 'test',
  ...more,
});

async function importBytes(
  bytes: Uint8Array,
  more: Partial<ImportOptions> = {},
  checksum?: string,
): Promise<void> {
  await using server = await serveFile(bytes);
  await importStream(await openHttp({ url: server.url, ...LOCAL }, signal), options(more, checksum), signal);
}

function assertWhole(): void {
  assert.deepEqual(readdirSync(directory), ['disk.img']);
  const path = join(directory, 'disk.img');
  assert.equal(statSync(path).size, 32 << 20, 'as large as the claim');
  assert.ok(readFileSync(path).subarray(0, SIZE).equals(readFileSync(raw)), 'the same bytes');
  assert.ok(statSync(path).blocks * 512 < 8 << 20, 'sparse');
}

for (const format of ['raw', 'qcow2', 'vmdk', 'vdi', 'vpc', 'vhdx'])
  test(`an image of format ${format}`, async () => {
    await importBytes(made(format));
    const size = statSync(join(directory, 'disk.img')).size;
    // VHD rounds up to whole cylinders.
    if (format === 'vpc') assert.ok(size === 32 << 20);
    else assertWhole();
  });

const packed: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['gzip', (bytes) => gzipSync(bytes)],
  ['xz', (bytes) => execFileSync('xz', ['-0', '-c'], { input: bytes, maxBuffer: 1 << 28 })],
  ['zstd', (bytes) => execFileSync('zstd', ['-1', '-c'], { input: bytes, maxBuffer: 1 << 28 })],
];
for (const [name, pack] of packed)
  test(`packed with ${name}, raw and qcow2`, async () => {
    await importBytes(pack(readFileSync(raw)));
    assertWhole();
    rmSync(join(directory, 'disk.img'));
    await importBytes(pack(made('qcow2')));
    assertWhole();
  });

test('a checksum is checked before anything else opens the image', async () => {
  const qcow2 = made('qcow2');
  const sum = createHash('sha256').update(qcow2).digest('hex');
  await importBytes(qcow2, {}, `sha256:${sum}`);
  assertWhole();
  rmSync(join(directory, 'disk.img'));
  await assert.rejects(importBytes(qcow2, {}, `sha256:${'0'.repeat(64)}`), /not the expected one/);
  assert.ok(!existsSync(join(directory, 'disk.img')));
});

test('connections that break are taken up where they broke', async () => {
  await using server = await serveFile(made('qcow2'));
  server.breakAfter = 1 << 20;
  await importStream(await openHttp({ url: server.url, ...LOCAL }, signal), options(), signal);
  assertWhole();
  assert.ok(server.ranges.length > 3 && server.ranges.slice(1).every((range) => range.startsWith('bytes=')));
});

test('an import that was cut off goes on from its note; another file begins again', async () => {
  const bytes = made('qcow2');
  await using server = await serveFile(bytes);
  const half = Math.floor(bytes.length / 2);
  const spool = join(directory, '.import.spool');
  // What a power cut leaves: the first half is vouched for, what follows is not.
  writeFileSync(spool, Buffer.concat([bytes.subarray(0, half), Buffer.from('torn')]));
  const note = { url: 'test', version: '"one"', bytes: half, file: spool };
  writeFileSync(join(directory, '.import.json'), JSON.stringify(note));
  const sum = createHash('sha256').update(bytes).digest('hex');
  const source = await openHttp({ url: server.url, ...LOCAL }, signal);
  await importStream(source, options({}, `sha256:${sum}`), signal);
  assertWhole();
  assert.equal(server.ranges.at(-1), `bytes=${half}-`);
  rmSync(join(directory, 'disk.img'));
  writeFileSync(spool, 'other');
  writeFileSync(join(directory, '.import.json'), JSON.stringify({ ...note, version: '"zero"', bytes: 5 }));
  await importStream(await openHttp({ url: server.url, ...LOCAL }, signal), options(), signal);
  assertWhole();
});

const layouts: readonly (readonly [string, (path: string) => void])[] = [
  ['compressed', (path) => convertTo(path, '-c')],
  ['with clusters of 4 KiB', (path) => convertTo(path, '-o', 'cluster_size=4k')],
  ['of version 2', (path) => convertTo(path, '-o', 'compat=0.10')],
  ['with room for everything', (path) => convertTo(path, '-o', 'preallocation=metadata')],
  ['that knows of zstd', (path) => convertTo(path, '-c', '-o', 'compression_type=zstd')],
  ['with subclusters', (path) => convertTo(path, '-o', 'extended_l2=on,cluster_size=128k')],
  [
    'written in pieces, from its end, and grown before',
    (path) => {
      // The first table is made anew when a disk grows that far: it comes after data.
      qemuImg('create', '-q', '-f', 'qcow2', '-o', 'cluster_size=512', path, '64k');
      const io = (...commands: string[]): unknown =>
        execFileSync('qemu-io', ['-f', 'qcow2', ...commands.flatMap((one) => ['-c', one]), path]);
      io('write -P 7 0 64k');
      qemuImg('resize', '-q', path, String(SIZE));
      const piece = 512 << 10;
      const all = readFileSync(raw);
      for (let at = SIZE - piece; at >= 0; at -= piece) {
        if (all.subarray(at, at + piece).every((byte) => byte === 0)) continue;
        const part = join(root, 'part');
        writeFileSync(part, all.subarray(at, at + piece));
        io(`write -s ${part} ${at} ${piece}`);
      }
    },
  ],
];
const qemuImg = (...args: string[]): unknown => execFileSync('qemu-img', args);
const convertTo = (path: string, ...more: string[]): unknown =>
  qemuImg('convert', '-f', 'raw', '-O', 'qcow2', ...more, raw, path);

for (const [name, make] of layouts)
  test(`a qcow2 image ${name}`, async () => {
    const path = join(root, `${name.replaceAll(' ', '-')}.qcow2`);
    make(path);
    const bytes = readFileSync(path);
    await importBytes(bytes, {}, `sha256:${createHash('sha256').update(bytes).digest('hex')}`);
    assertWhole();
  });

test('a qcow2 image for a device, whatever the device held before', async () => {
  const behind = join(root, 'behind');
  writeFileSync(behind, Buffer.alloc(32 << 20, 'old'));
  const losetup = (...args: string[]): string => execFileSync('losetup', args, { encoding: 'utf8' }).trim();
  const device = losetup('--find', '--show', behind);
  try {
    const job = { volumeMode: 'Block', capacityBytes: 32 << 20 } as const;
    await importBytes(made('qcow2'), { device, job });
    assert.ok(readFileSync(device).subarray(0, SIZE).equals(readFileSync(raw)), 'the same bytes');
    assert.deepEqual(readdirSync(directory), []);
    assert.ok(statSync(behind).blocks * 512 < 14 << 20, 'what the image does not hold is a hole');
  } finally {
    losetup('--detach', device);
  }
});

test('a qcow2 image that was cut off in the middle goes on, whatever was placed and kept', async () => {
  const path = join(root, 'cut.qcow2');
  convertTo(path, '-o', 'cluster_size=4k');
  const bytes = readFileSync(path);
  await using server = await serveFile(bytes);
  const cut = new AbortController();
  const source = await openHttp({ url: server.url, ...LOCAL }, signal);
  const broken: typeof source = {
    ...source,
    async *read(offset, end) {
      let length = offset;
      for await (const chunk of source.read(offset, end)) {
        yield chunk;
        length += chunk.length;
        if (length > bytes.length / 2) cut.abort(new Error('power cut'));
        cut.signal.throwIfAborted();
      }
    },
  };
  const resumable = options(
    { noteEveryBytes: 1 << 20 },
    `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  );
  await assert.rejects(importStream(broken, resumable, signal), /power cut/);
  assert.ok(!existsSync(join(directory, 'disk.img')), 'half a disk is none');
  await importStream(await openHttp({ url: server.url, ...LOCAL }, signal), resumable, signal);
  assertWhole();
  assert.match(server.ranges.at(-1) ?? '', /^bytes=\d{7}/);
});

test('a file that changes under way is not mixed', async () => {
  await using server = await serveFile(made('qcow2'));
  server.breakAfter = 1 << 20;
  const source = await openHttp({ url: server.url, ...LOCAL }, signal);
  server.etag = '"two"';
  await assert.rejects(importStream(source, options(), signal), SourceChangedError);
  assert.deepEqual(readdirSync(directory), []);
});

test('what refers to other files never reaches a tool', async () => {
  const evil = join(root, 'evil.qcow2');
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', raw, '-F', 'raw', evil]);
  await assert.rejects(importBytes(readFileSync(evil)), /names a backing file/);
  const data = join(root, 'data.qcow2');
  const opts = `data_file=${join(root, 'data.raw')}`;
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-o', opts, data, '1M']);
  await assert.rejects(importBytes(readFileSync(data)), /keeps its data in another file/);
});

test('bombs are bounded by the claim', async () => {
  const bomb = gzipSync(Buffer.alloc(64 << 20));
  await assert.rejects(importBytes(bomb), /A larger PVC is required/);
  const huge = join(root, 'huge.qcow2');
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', huge, '1T']);
  await assert.rejects(importBytes(readFileSync(huge)), /1099511627776 is larger/);
});

test('missing files and empty ones are told', async () => {
  await using server = await serveFile(Buffer.alloc(0));
  await assert.rejects(
    openHttp({ url: `${server.url}x`, ...LOCAL }, signal),
    /expected status code 200, got 404/,
  );
  await assert.rejects(importBytes(Buffer.alloc(0)), /the image is empty/);
});

test('an archive becomes files below the claim, and only there', async () => {
  const content = join(root, 'content');
  mkdirSync(join(content, 'sub'), { recursive: true });
  writeFileSync(join(content, 'sub/file'), 'text');
  const tar = (...args: string[]): Buffer =>
    execFileSync('tar', ['--create', '--absolute-names', '--directory', content, ...args]);
  const progress = options().progress;
  const unpack = async (bytes: Uint8Array): Promise<void> => {
    await using server = await serveFile(bytes);
    await importArchive(
      await openHttp({ url: server.url, ...LOCAL }, signal),
      directory,
      { progress },
      signal,
    );
  };
  await unpack(gzipSync(tar('sub')));
  assert.equal(readFileSync(join(directory, 'sub/file'), 'utf8'), 'text');
  writeFileSync(join(root, 'outside'), 'before');
  await unpack(tar('--transform=s,^sub/file,../../outside,', 'sub/file')).catch(() => undefined);
  assert.equal(readFileSync(join(root, 'outside'), 'utf8'), 'before');
  assert.ok(!existsSync(join(root, '../outside')));
  await assert.rejects(unpack(Buffer.from('no archive at all')), /the archive cannot be unpacked/);
  const plants: readonly (readonly [string, RegExp, (path: string) => unknown])[] = [
    ['away', /a link that leads out of the claim, to \/etc/, (path) => symlinkSync('/etc/shadow', path)],
    ['up', /a link that leads out of the claim, to \.\./, (path) => symlinkSync('../../x', path)],
    ['pipe', /is a device, a pipe or a socket/, (path) => execFileSync('mkfifo', [path])],
    ['device', /cannot be unpacked|is a device/, (path) => execFileSync('mknod', [path, 'b', '7', '0'])],
  ];
  for (const [name, pattern, plant] of plants) {
    plant(join(content, name));
    await assert.rejects(unpack(tar('sub', name)), pattern);
    assert.ok(!existsSync(join(directory, name)), `${name} is gone`);
  }
  symlinkSync('sub/file', join(content, 'inside'));
  linkSync(join(content, 'sub/file'), join(content, 'twin'));
  await unpack(tar('sub', 'inside', 'twin'));
  assert.equal(readFileSync(join(directory, 'inside'), 'utf8'), 'text');
  // A hard link whose target lies outside has nothing to link to below the claim.
  const outside = join(root, 'outside');
  linkSync(outside, join(content, 'hard'));
  // Without the file itself, its header and its one block: only the link to it is left.
  const linked = tar(outside, 'hard').subarray(1024);
  await assert.rejects(unpack(linked), /hard: Cannot hard link/);
  assert.ok(!existsSync(join(directory, 'hard')));
});

test('a claim without room to spare takes a full disk that has to be converted', async () => {
  const bytes = 32 << 20;
  const full = join(root, 'full.raw');
  writeFileSync(full, randomBytes(bytes));
  const scratch = mkdtempSync(join(root, 'scratch-'));
  try {
    for (const format of ['vdi', 'qcow2']) {
      const image = join(root, `full.${format}`);
      execFileSync('qemu-img', ['convert', '-f', 'raw', '-O', format, full, image]);
      const claim = mkdtempSync(join(root, 'limited-'));
      await makeFilesystemImage(claim, bytes);
      await importBytes(readFileSync(image), { directory: claim, scratch });
      assert.ok(readFileSync(join(claim, 'disk.img')).equals(readFileSync(full)), format);
      assert.deepEqual([...readdirSync(claim), ...readdirSync(scratch)], ['disk.img']);
    }
  } finally {
    await unmountBelow(root);
  }
});
