/**
 * Volumes on file systems whose files can share blocks: they have the size of their claim there too, and snapshots and
 * clones of them take no room. Needs root, mkfs.btrfs and mkfs.xfs.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { canShareBlocks, listMounts, unmountBelow } from '@podvisor/sys';
import { snapshotNameFor, volumeNameFor } from '@podvisor/home-contract';
import { LocalVolumeData } from './local-volume-data.ts';

const MEBI = 1024 * 1024;
const name = volumeNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ab');
const other = volumeNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ac');
const snapshot = snapshotNameFor('0f6a6f2e-6d2c-4a57-9d0e-0123456789ad');
const { signal } = new AbortController();

const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((directory) => existsSync(join(directory, program)));
const write = (path: string, mebi: number): void =>
  writeFileSync(path, Buffer.alloc(mebi * MEBI, 1), { flush: true });

/** A file system of its own. */
function disk(t: TestContext, kind: string): string {
  const root = mkdtempSync(join(tmpdir(), `podvisor-${kind}-`));
  const mountPoint = join(root, 'd');
  t.after(async () => {
    await unmountBelow(root);
    assert.ok(!listMounts().some((mount) => mount.mountPoint.startsWith(root)));
    rmSync(root, { recursive: true });
  });
  mkdirSync(mountPoint);
  writeFileSync(join(root, 'image'), '');
  truncateSync(join(root, 'image'), 512 * MEBI);
  execFileSync(`mkfs.${kind}`, ['-q', join(root, 'image')], { stdio: 'pipe' });
  execFileSync('mount', ['-o', 'loop', join(root, 'image'), mountPoint]);
  assert.ok(canShareBlocks(mountPoint), `${kind} of this machine shares blocks`);
  return mountPoint;
}

/** Bytes in use, when all is written. */
function used(mountPoint: string): number {
  execFileSync('sync', ['--file-system', mountPoint]);
  const { blocks, bfree, bsize } = statfsSync(mountPoint);
  return (blocks - bfree) * bsize;
}

for (const kind of ['btrfs', 'xfs'])
  test(`${kind}: a claim has its size, and snapshots and clones share its blocks`, {
    skip: has(`mkfs.${kind}`) ? false : `mkfs.${kind} is not installed`,
  }, async (t) => {
    const mountPoint = disk(t, kind);
    const directories = { volumes: join(mountPoint, 'volumes'), snapshots: join(mountPoint, 'snapshots') };
    const data = new LocalVolumeData(directories, {
      during: (_writers, _shared, take) => take(),
    });
    const volume = { mode: 'Filesystem', bytes: 48 * MEBI } as const;
    const path = await data.make(name, volume, signal);
    assert.throws(() => write(join(path, 'file'), 200), { code: 'ENOSPC' });
    rmSync(join(path, 'file'));
    write(join(path, 'file'), 40);
    writeFileSync(join(path, 'word'), 'before');

    const before = used(mountPoint);
    await data.takeSnapshot(snapshot, name, ['a writer'], signal);
    writeFileSync(join(path, 'word'), 'after');
    const larger = { ...volume, bytes: 80 * MEBI };
    const copy = await data.make(other, { ...larger, content: { kind: 'snapshot', name: snapshot } }, signal);
    assert.ok(used(mountPoint) - before < 20 * MEBI, `${(used(mountPoint) - before) / MEBI} MiB more`);

    assert.equal(readFileSync(join(copy, 'word'), 'utf8'), 'before');
    assert.equal(readFileSync(join(path, 'word'), 'utf8'), 'after');
    assert.equal(readFileSync(join(copy, 'file')).length, 40 * MEBI);
    write(join(copy, 'more'), 35);
    assert.throws(() => write(join(copy, 'too much'), 20), { code: 'ENOSPC' });

    await data.remove(other);
    const clone = await data.make(other, { ...volume, content: { kind: 'volume', name } }, signal);
    assert.equal(readFileSync(join(clone, 'word'), 'utf8'), 'after');
    await data.remove(other);
    await data.remove(name);
    await data.removeSnapshot(snapshot);
    assert.equal(await data.hasSnapshot(snapshot), false);
  });
