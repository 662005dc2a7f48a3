import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { signalProcess } from './pidfd.ts';
import { startTicks } from './process.ts';

test('a signal reaches the process that is meant, and never one that only has its number', async () => {
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? -1;
  const ticks = startTicks(pid) ?? '';
  const ended = once(child, 'exit');
  assert.equal(signalProcess(pid, '1', 'SIGKILL'), false);
  assert.equal(child.exitCode, null);
  assert.equal(signalProcess(pid, ticks, 'SIGTERM'), true);
  assert.deepEqual(await ended, [null, 'SIGTERM']);
  assert.equal(signalProcess(pid, ticks, 'SIGTERM'), false);
});
