import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { liftMemoryLock, processTree } from './memory-lock.ts';

const lockLimit = (pid: number): string =>
  /Max locked memory +(\w+ +\w+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1] ?? '';

/** capabilities(7): CAP_SYS_RESOURCE, without which no limit is lifted. */
const MAY_LIFT =
  (BigInt(`0x${/CapEff:\s+(\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`) >> 24n) %
    2n ===
  1n;

test('a process tree is lifted over a hard limit on locked memory, or the refusal is told', async () => {
  const shell = spawn('sh', ['-c', 'ulimit -l 64; sleep 60 & echo there; wait'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = shell.pid ?? -1;
  const ended = once(shell, 'exit');
  try {
    await once(shell.stdout, 'data');
    const tree = processTree(pid, 10);
    assert.equal(tree.length, 2);
    assert.deepEqual(processTree(pid, 1), [pid]);
    assert.match(lockLimit(pid), /^65536 +65536$/);
    for (const one of tree)
      if (MAY_LIFT) liftMemoryLock(one);
      else assert.throws(() => liftMemoryLock(one), /prlimit of process \d+ failed: EPERM/);
    const limit = MAY_LIFT ? /^unlimited +unlimited$/ : /^65536 +65536$/;
    for (const one of tree) assert.match(lockLimit(one), limit);
  } finally {
    for (const one of processTree(pid, 10).toReversed()) process.kill(one, 'SIGKILL');
    await ended;
  }
  liftMemoryLock(pid); // it has ended
  assert.deepEqual(processTree(pid, 10), [pid]);
});
