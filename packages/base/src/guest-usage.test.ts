import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usagePoint } from './guest-usage.ts';

const STATS = {
  'cpu.time': 1_000_000_000,
  'balloon.available': 1000,
  'balloon.usable': 600,
  'balloon.rss': 5000,
  'block.count': 2,
  'block.0.rd.bytes': 10,
  'block.1.rd.bytes': 20,
  'block.0.wr.bytes': 5,
  'net.0.rx.bytes': 7,
  'net.0.tx.bytes': 8,
};

test('counters of all disks and NICs, memory as the guest says or as QEMU holds it', () => {
  assert.deepEqual(usagePoint(STATS, 5), {
    atMs: 5,
    cpuNs: 1_000_000_000,
    memoryBytes: 400 * 1024,
    diskReadBytes: 30,
    diskWrittenBytes: 5,
    receivedBytes: 7,
    sentBytes: 8,
  });
  assert.equal(usagePoint({ 'balloon.rss': 2 }, 0).memoryBytes, 2048);
  assert.equal(usagePoint({}, 0).memoryBytes, undefined);
});
