import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { machineTimeMs } from './machine-time.ts';

test('it is the time since the machine was started, suspended or not, as the kernel tells it', () => {
  assert.equal(
    machineTimeMs(() => '1234.56 9876.54\n'),
    1_234_560,
  );
  const uptimeMs = (): number => Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) * 1000;
  const beforeMs = uptimeMs();
  const nowMs = machineTimeMs();
  assert.ok(nowMs >= beforeMs - 1 && nowMs <= uptimeMs() + 1);
});

test('where a container has an uptime of its own, the clock is one that all processes share', () => {
  const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
  const beforeMs = monotonicMs();
  const nowMs = machineTimeMs(() => undefined);
  assert.ok(nowMs >= beforeMs && nowMs <= monotonicMs());
});
