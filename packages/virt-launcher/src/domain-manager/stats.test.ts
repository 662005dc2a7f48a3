import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cpuTimes } from './stats.ts';

test('CPU time of a process is that of all its threads, whatever its name', () => {
  const fields = ['S', ...Array.from({ length: 10 }, (_, i) => i), 250, 50, 7, 7].join(' ');
  assert.deepEqual(cpuTimes(`42 (qemu) 1 2 (x) ${fields}`), {
    'cpu.time': 3_000_000_000,
    'cpu.user': 2_500_000_000,
    'cpu.system': 500_000_000,
  });
  assert.deepEqual(cpuTimes(''), {});
  const own = cpuTimes(readFileSync('/proc/self/stat', 'utf8'));
  const { user, system } = process.cpuUsage();
  assert.ok(Math.abs(Number(own['cpu.time']) / 1000 - user - system) < 1_000_000);
});
