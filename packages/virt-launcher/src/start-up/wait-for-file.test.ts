import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitForFile } from './wait-for-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'wait-'));
after(() => rmSync(directory, { recursive: true }));

/** Instances that this process holds. */
function inotifyInstances(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === 'anon_inode:inotify';
    } catch {
      return false; // the one that read the directory
    }
  }).length;
}

test('a file that comes is noticed, and no inotify instance is kept for it', async () => {
  const before = inotifyInstances();
  const path = join(directory, 'socket');
  const waiting = waitForFile(path, AbortSignal.timeout(60_000));
  writeFileSync(path, '');
  await waiting;
  await waitForFile(path, AbortSignal.timeout(60_000));
  assert.equal(inotifyInstances(), before);
});

test('who ends the wait says why', async () => {
  const stop = new AbortController();
  const waiting = waitForFile(join(directory, 'never'), stop.signal);
  stop.abort(new Error('libvirtd has ended'));
  await assert.rejects(waiting, /libvirtd has ended/);
});
