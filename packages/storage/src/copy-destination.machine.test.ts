/** What a disk is copied into, with QEMU's own locks. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '@podvisor/sys';
import { makeRoomForCopy } from './copy-destination.ts';

const MIB = 1024 * 1024;
let root: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pv-copy-'));
  path = join(root, 'disk.img');
});
afterEach(() => rmSync(root, { recursive: true }));

const make = (bytes: number, capacityBytes: number | undefined): Promise<void> =>
  makeRoomForCopy({ path, block: false, bytes, capacityBytes }, undefined);

test('an image gets the size of the disk, whatever was there', async () => {
  await make(3 * MIB, 8 * MIB);
  assert.equal(statSync(path).size, 3 * MIB);
  await make(2 * MIB, undefined);
  assert.equal(statSync(path).size, 2 * MIB);
});

test('a claim that is too small is refused with both sizes', async () => {
  await assert.rejects(make(3 * MIB, 2 * MIB), /has room for 2Mi, the disk has 3Mi/);
});

test('a link is not followed', async () => {
  writeFileSync(join(root, 'other'), '');
  await run('ln', ['-s', join(root, 'other'), path]);
  await assert.rejects(make(MIB, MIB), /ELOOP/);
});

test('an image that somebody writes is left alone', async () => {
  await make(MIB, MIB);
  const ending = new AbortController();
  const args = [
    '-S',
    '-nodefaults',
    '-display',
    'none',
    '-m',
    '16',
    '-drive',
    `file=${path},format=raw,if=virtio`,
  ];
  const writer = run('qemu-system-x86_64', args, { signal: ending.signal, timeoutMs: 60_000 });
  try {
    for (let tries = 0; ; tries++) {
      const refused = await make(MIB, MIB).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (refused !== undefined) {
        assert.match(refused, /the new claim is in use.*lock/s);
        break;
      }
      assert.ok(tries < 200, 'QEMU never took its lock');
      await delay(50);
    }
  } finally {
    ending.abort();
    await writer.catch(() => {});
  }
});
