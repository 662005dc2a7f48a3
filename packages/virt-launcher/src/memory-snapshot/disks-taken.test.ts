import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { memorySnapshotTypes, MEMORY_SNAPSHOT_VOLUME, type VirtualMachineInstance } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { disksTaken, LONGEST_HOLD_MS } from './disks-taken.ts';
import { MemorySnapshot } from './memory-snapshot.ts';

let clock: FakeClock;
let snapshot: MemorySnapshot;
let ending: AbortController;
let waits: Promise<void>;
const saying = (type: string): VirtualMachineInstance =>
  ({ spec: { utilityVolumes: [{ name: MEMORY_SNAPSHOT_VOLUME, claimName: 'm', type }] } }) as never;

beforeEach(() => {
  clock = new FakeClock();
  ending = new AbortController();
  snapshot = new MemorySnapshot({ claimName: 'm', phase: 'Saved', startTimestamp: '' });
  waits = disksTaken({ clock, signal: ending.signal }, snapshot);
  waits.catch(() => undefined);
});

test('the guest stands still until its disks are taken', async () => {
  clock.advance(LONGEST_HOLD_MS - 1);
  snapshot.follow(saying(memorySnapshotTypes.goOn));
  await waits;
});

test('its node is cut off: it goes on by itself, and what is said later changes nothing', async () => {
  clock.advance(LONGEST_HOLD_MS);
  await assert.rejects(waits, /its disks were not taken within 60 s/);
  snapshot.change({ phase: 'Failed' });
  snapshot.follow(saying(memorySnapshotTypes.goOn));
  assert.equal(snapshot.state.phase, 'Failed');
});

test('it goes on at once when nobody wants the snapshot, and when its launcher ends', async () => {
  snapshot.follow({ spec: {} } as never);
  await assert.rejects(waits, /given up/);
  const other = disksTaken({ clock, signal: ending.signal }, new MemorySnapshot(snapshot.state));
  ending.abort();
  await assert.rejects(other, /given up/);
});
