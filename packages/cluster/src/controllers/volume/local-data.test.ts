import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { makeLocalData, removeLocalData, volumeNameFor } from './local-data.ts';

const name = volumeNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ab');
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-volumes-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('a file system is a directory that a Pod can write to', async () => {
  const path = await makeLocalData(join(root, 'volumes'), name, 'Filesystem', 1);
  assert.equal(statSync(path).mode & 0o777, 0o777);
  assert.equal(statSync(join(root, 'volumes')).mode & 0o777, 0o700);
});

test('a block device is a sparse file that never shrinks', async () => {
  const path = await makeLocalData(root, name, 'Block', 1 << 30);
  assert.equal(statSync(path).size, 1 << 30);
  assert.ok(statSync(path).blocks < 100);
  writeFileSync(path, 'data', { flag: 'r+' });
  await makeLocalData(root, name, 'Block', 1 << 20);
  assert.equal(statSync(path).size, 1 << 30);
});

test('removing does not follow links and touches nothing else', async () => {
  const path = await makeLocalData(root, name, 'Filesystem', 1);
  mkdirSync(join(root, 'precious'));
  writeFileSync(join(root, 'precious', 'file'), '');
  symlinkSync(join(root, 'precious'), join(path, 'link'));
  await removeLocalData(root, name);
  assert.ok(!existsSync(path) && existsSync(join(root, 'precious', 'file')));
  await assert.rejects(removeLocalData(root, 'precious'), /not made by this provisioner/);
  await assert.rejects(removeLocalData(root, '..'), /not made by this provisioner/);
});
