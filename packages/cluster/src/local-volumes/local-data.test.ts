import assert from 'node:assert/strict';
import {
  existsSync,
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
import { afterEach, beforeEach, test } from 'node:test';
import {
  growLocalData,
  hasSnapshot,
  makeLocalData,
  removeLocalData,
  removeSnapshot,
  takeSnapshot,
} from './local-data.ts';
import { snapshotNameFor, volumeNameFor } from '@podvisor/home-contract';

const name = volumeNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ab');
let root: string;
let directories: { volumes: string; snapshots: string };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-volumes-'));
  directories = { volumes: join(root, 'volumes'), snapshots: join(root, 'snapshots') };
});
afterEach(() => rmSync(root, { recursive: true }));

test('a file system is a directory that a Pod can write to', async () => {
  const path = await makeLocalData(directories, name, { mode: 'Filesystem', bytes: 1 });
  assert.equal(statSync(path).mode & 0o777, 0o777);
  assert.equal(statSync(join(root, 'volumes')).mode & 0o777, 0o700);
});

test('a block device is a sparse file that never shrinks', async () => {
  const path = await makeLocalData(directories, name, { mode: 'Block', bytes: 1 << 30 });
  assert.equal(statSync(path).size, 1 << 30);
  assert.ok(statSync(path).blocks < 100);
  writeFileSync(path, 'data', { flag: 'r+' });
  await makeLocalData(directories, name, { mode: 'Block', bytes: 1 << 20 });
  await growLocalData(directories, name, 'Block', 1 << 20);
  assert.equal(statSync(path).size, 1 << 30);
});

test('removing does not follow links and touches nothing else', async () => {
  const path = await makeLocalData(directories, name, { mode: 'Filesystem', bytes: 1 });
  mkdirSync(join(root, 'precious'));
  writeFileSync(join(root, 'precious', 'file'), '');
  symlinkSync(join(root, 'precious'), join(path, 'link'));
  await removeLocalData(directories, name);
  assert.ok(!existsSync(path) && existsSync(join(root, 'precious', 'file')));
  await assert.rejects(removeLocalData(directories, 'precious'), /not made by this provisioner/);
  await assert.rejects(removeLocalData(directories, '..'), /not made by this provisioner/);
});

test('a snapshot is a whole copy, made once, and a volume can start with it', async () => {
  const path = await makeLocalData(directories, name, { mode: 'Filesystem', bytes: 1 });
  writeFileSync(join(path, 'disk.img'), 'first');
  const snapshot = snapshotNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ac');
  // What a power cut left of an earlier try.
  mkdirSync(join(root, 'snapshots', `${snapshot}.partial`), { recursive: true });
  await takeSnapshot(directories, snapshot, name);
  writeFileSync(join(path, 'disk.img'), 'second');
  await takeSnapshot(directories, snapshot, name);
  const other = volumeNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ad');
  const content = { kind: 'snapshot', name: snapshot } as const;
  const copy = await makeLocalData(directories, other, { mode: 'Block', bytes: 4096, content });
  assert.equal(readFileSync(copy, 'utf8').replaceAll('\0', ''), 'first');
  assert.equal(statSync(copy).size, 4096);
  assert.ok(!existsSync(join(root, 'snapshots', `${snapshot}.partial`)));
  await removeSnapshot(directories, snapshot);
  assert.ok(!hasSnapshot(directories, snapshot));
});

test('a copy that fails leaves nothing behind, and says why', async () => {
  const path = await makeLocalData(directories, name, { mode: 'Filesystem', bytes: 1 });
  writeFileSync(join(root, 'host-file'), 'secret');
  symlinkSync(join(root, 'host-file'), join(path, 'disk.img'));
  const other = volumeNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ad');
  const content = { kind: 'volume', name } as const;
  await assert.rejects(
    makeLocalData(directories, other, { mode: 'Block', bytes: 4096, content }),
    /holds no file disk\.img/,
  );
  assert.deepEqual(readdirSync(join(root, 'volumes')), [name]);
});
