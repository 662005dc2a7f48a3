import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '@podvisor/sys';
import { cpuTimes, deviceNumbers, ProcessNumbers, statusNumbers, waitNs } from './process-numbers.ts';

test('CPU time of all threads, whatever the process is called', () => {
  const rest = `S 1 7 7 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 6 0 100 1000 10`;
  assert.deepEqual(cpuTimes(`7 (a) b (c) ${rest}`), {
    ...{ 'cpu.time': 3_000_000_000, 'cpu.user': 2_500_000_000, 'cpu.system': 500_000_000 },
  });
  assert.deepEqual(cpuTimes('nonsense'), {});
});

test('resident memory and CPUs', () => {
  assert.deepEqual(statusNumbers('Name:\tq\nVmRSS:\t   2048 kB\nCpus_allowed:\tff,00000003\n'), {
    'balloon.rss': 2048,
    'host.cpus': 10,
  });
  assert.deepEqual(statusNumbers(''), {});
});

const NET_DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     100       1    0    0    0     0          0         0      100       1    0    0    0     0       0          0
  tap0:      11      12   13   14    0     0          0         0       21      22   23   24    0     0       0          0
`;

test('packets of the guest as it sees them, and of no other device', () => {
  assert.deepEqual(deviceNumbers(NET_DEV, ['tap0', 'tap1']), {
    'net.count': 1,
    'net.0.name': 'tap0',
    ...{ 'net.0.tx.bytes': 11, 'net.0.tx.pkts': 12, 'net.0.tx.errs': 13, 'net.0.tx.drop': 14 },
    ...{ 'net.0.rx.bytes': 21, 'net.0.rx.pkts': 22, 'net.0.rx.errs': 23, 'net.0.rx.drop': 24 },
  });
});

test('how long a thread waited, by the names of older and newer kernels', () => {
  assert.equal(waitNs('se.statistics.wait_sum   :    12.500000\n'), 12_500_000);
  assert.equal(waitNs('wait_sum   :    0.000001\n'), 1);
  assert.equal(waitNs('nr_switches : 4\n'), 0);
});

test('a process that burns CPU is seen to, and one without virtual CPUs has none', () => {
  using directory = openDirectory(`/proc/${process.pid}`);
  const numbers = new ProcessNumbers(directory);
  const before = Number(numbers.read([])['cpu.time']);
  // Two ticks of the kernel's clock, whatever else the machine does.
  for (
    let used = process.cpuUsage();
    used.user + used.system < before / 1000 + 20_000;
    used = process.cpuUsage()
  );
  const after = numbers.read(['no-such-device']);
  assert.ok(Number(after['cpu.time']) > before);
  assert.ok(Number(after['balloon.rss']) > 1024);
  assert.equal(after['vcpu.maximum'], 0);
  assert.equal(after['net.count'], 0);
});

test('threads of a process that was taken over are looked at up to a number', { timeout: 20_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'pv-proc-'));
  try {
    for (const file of ['stat', 'status']) writeFileSync(join(root, file), '');
    for (let i = 0; i < 3_000; i += 1) {
      const thread = join(root, 'task', String(i));
      mkdirSync(thread, { recursive: true });
      writeFileSync(join(thread, 'comm'), `CPU ${i}/KVM\n`);
      writeFileSync(join(thread, 'schedstat'), '1 2 3\n');
    }
    using directory = openDirectory(root);
    const numbers = new ProcessNumbers(directory).read([]);
    const vcpus = Object.keys(numbers).filter((name) => /^vcpu\.\d+\.time$/.test(name));
    assert.ok(vcpus.length >= 1024 && vcpus.length <= 2048, `${vcpus.length} threads`);
  } finally {
    rmSync(root, { recursive: true });
  }
});
