/** Volumes with the size of their claim. Needs root. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { imageBeside, listMounts, loopDevicesOf, mountFilesystemImage, unmountBelow } from '@podvisor/sys';
import { snapshotNameFor, volumeNameFor } from '@podvisor/home-contract';
import { growLocalData, makeLocalData, removeLocalData, takeSnapshot } from './local-data.ts';

const MEBI = 1024 * 1024;
const name = volumeNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ab');
const other = volumeNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ac');
const snapshot = snapshotNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ad');
let root: string;
let directories: { volumes: string; snapshots: string };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-volumes-'));
  directories = { volumes: join(root, 'volumes'), snapshots: join(root, 'snapshots') };
});
afterEach(async () => {
  await unmountBelow(root);
  rmSync(root, { recursive: true });
});

const limited = { mode: 'Filesystem', isLimited: true } as const;
const write = (path: string, mebi: number): void => writeFileSync(path, Buffer.alloc(mebi * MEBI, 1));

test('a claim of 16 Mi takes 15 MB and not 200', async () => {
  const path = await makeLocalData(directories, name, { ...limited, bytes: 16 * MEBI });
  assert.equal(statSync(path).mode & 0o777, 0o777);
  assert.deepEqual(readdirSync(path), []);
  assert.throws(() => write(join(path, 'file'), 200), { code: 'ENOSPC' });
  rmSync(join(path, 'file'));
  write(join(path, 'file'), 15);
});

test('content of other volumes and of snapshots comes along, also after a reboot', async () => {
  const path = await makeLocalData(directories, name, { ...limited, bytes: 16 * MEBI });
  writeFileSync(join(path, 'file'), 'content');
  await unmountBelow(root);
  await takeSnapshot(directories, snapshot, name);
  await unmountBelow(root);
  for (const [kind, from] of [
    ['volume', name],
    ['snapshot', snapshot],
  ] as const) {
    const content = { kind, name: from };
    const copy = await makeLocalData(directories, other, { ...limited, bytes: 16 * MEBI, content });
    assert.equal(readFileSync(join(copy, 'file'), 'utf8'), 'content');
    await removeLocalData(directories, other);
  }
});

test('a disk of the whole size fits, and a claim that grows has room for more', async () => {
  const content = { kind: 'blank' } as const;
  const path = await makeLocalData(directories, name, { ...limited, bytes: 16 * MEBI, content });
  const disk = join(path, 'disk.img');
  assert.equal(statSync(disk).size, 16 * MEBI);
  write(disk, 16);
  await growLocalData(directories, name, 'Filesystem', 64 * MEBI);
  await unmountBelow(root);
  await mountFilesystemImage(path);
  write(disk, 60);
});

test('a volume that goes leaves nothing, and one that could not be filled neither', async () => {
  const path = await makeLocalData(directories, name, { ...limited, bytes: 16 * MEBI });
  await removeLocalData(directories, name);
  assert.deepEqual(readdirSync(directories.volumes), []);
  assert.deepEqual(await loopDevicesOf(imageBeside(path)), []);
  const content = { kind: 'volume', name: other } as const;
  await assert.rejects(makeLocalData(directories, name, { ...limited, bytes: MEBI, content }));
  assert.deepEqual(readdirSync(directories.volumes), []);
  assert.ok(!listMounts().some(({ mountPoint }) => mountPoint.startsWith(root)));
});

test('a claim of an older home is the directory that it was', async () => {
  const path = await makeLocalData(directories, name, { mode: 'Filesystem', bytes: MEBI });
  writeFileSync(join(path, 'file'), 'old');
  assert.equal(await makeLocalData(directories, name, { ...limited, bytes: MEBI }), path);
  await growLocalData(directories, name, 'Filesystem', 2 * MEBI);
  assert.ok(!existsSync(imageBeside(path)));
  assert.equal(readFileSync(join(path, 'file'), 'utf8'), 'old');
});
