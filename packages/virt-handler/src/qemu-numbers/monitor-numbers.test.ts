import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balloonNumbers, diskNumbers, guestNumbers } from './monitor-numbers.ts';

/** As QEMU 7.2 answers, without what is not looked at. */
const BLOCKSTATS = [
  {
    device: '',
    qdev: '/machine/peripheral/ua-root/virtio-backend',
    'node-name': 'libvirt-2-format',
    stats: {
      ...{ rd_operations: 1, rd_bytes: 512, rd_total_time_ns: 3, wr_operations: 4, wr_bytes: 5 },
      ...{ wr_total_time_ns: 6, flush_operations: 7, flush_total_time_ns: 8 },
    },
  },
  { device: '', qdev: 'ua-my.disk-1', stats: { rd_operations: 9, rd_bytes: 'many', wr_bytes: -1 } },
  { device: 'pflash0', qdev: '/machine/system.flash0', stats: { rd_operations: 1 } },
];
const UNTOLD = 18446744073709552000;

test('disks by volume', () => {
  assert.deepEqual(diskNumbers(BLOCKSTATS), {
    'block.count': 2,
    'block.0.volume': 'root',
    ...{ 'block.0.rd.reqs': 1, 'block.0.rd.bytes': 512, 'block.0.rd.times': 3, 'block.0.wr.reqs': 4 },
    ...{ 'block.0.wr.bytes': 5, 'block.0.wr.times': 6, 'block.0.fl.reqs': 7, 'block.0.fl.times': 8 },
    'block.1.volume': 'my.disk-1',
    'block.1.rd.reqs': 9,
  });
});

test('memory in KiB; what the guest does not tell is left out', () => {
  assert.deepEqual(balloonNumbers({ actual: 134217728 }), { 'balloon.current': 131072 });
  assert.deepEqual(
    guestNumbers({
      stats: {
        ...{ 'stat-swap-in': 2048, 'stat-swap-out': 1024, 'stat-major-faults': 3, 'stat-minor-faults': 4 },
        ...{ 'stat-free-memory': 5120, 'stat-total-memory': 6144, 'stat-available-memory': UNTOLD },
      },
      'last-update': 1,
    }),
    {
      ...{ 'balloon.swap_in': 2, 'balloon.swap_out': 1, 'balloon.major_fault': 3, 'balloon.minor_fault': 4 },
      ...{ 'balloon.unused': 5, 'balloon.available': 6 },
    },
  );
});

test('a guest without balloon and disks; nonsense', () => {
  for (const disks of [[], undefined, {}, 'x']) assert.deepEqual(diskNumbers(disks), { 'block.count': 0 });
  for (const balloon of [undefined, 'x', [], { actual: 'much' }, { actual: -1 }])
    assert.deepEqual(balloonNumbers(balloon), {});
  for (const guest of [undefined, 'x', { stats: [] }, { stats: 7 }])
    assert.deepEqual(guestNumbers(guest), {});
});
