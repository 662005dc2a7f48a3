import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { processTree } from './memory-lock.ts';

test('of a process with very many threads some are looked at, however many it has started', async (t) => {
  const script = "require('node:fs').stat('/', () => console.log('there')); setInterval(() => {}, 1e6);";
  const child = spawn(process.execPath, ['-e', script], {
    env: { UV_THREADPOOL_SIZE: '1000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const pid = child.pid ?? -1;
  let looked = 0;
  const read = (): string => {
    looked += 1;
    return '';
  };
  assert.deepEqual(processTree(pid, 64, read), [pid]);
  assert.equal(looked, 256);
});
