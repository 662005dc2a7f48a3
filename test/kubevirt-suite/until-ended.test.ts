import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { untilEnded } from './until-ended.ts';

const LONG_MS = 60_000;

/** A suite that has said that it runs. */
async function suite(onInterrupt: string): Promise<ChildProcessByStdio<null, Readable, null>> {
  const script = `trap '${onInterrupt}' INT; echo running; while :; do sleep 0.05; done`;
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'readable');
  child.stdout.read();
  return child;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`on ${signal} the suite cleans up before the runner goes on`, async () => {
    const child = await suite('sleep 0.3; echo cleaned up; exit 0');
    let words = '';
    child.stdout.on('data', (data: Buffer) => (words += data.toString()));
    const ended = untilEnded(child, LONG_MS);
    process.kill(process.pid, signal);
    await ended;
    assert.match(words, /cleaned up/);
    assert.equal(process.listenerCount(signal), 0);
  });

test('a suite that does not end is killed', async () => {
  const child = await suite(':');
  child.stdout.resume();
  const ended = untilEnded(child, 200);
  process.kill(process.pid, 'SIGTERM');
  await ended;
  assert.equal(child.signalCode, 'SIGKILL');
});
