import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWorker } from './worker-process.ts';

const start = () => startWorker(new URL('../testing/answering-main.ts', import.meta.url));

test('questions are answered one after the other, and an error is the error of its question alone', async () => {
  const worker = start();
  assert.deepEqual(await worker.ask({ say: { a: 1 } }), { a: 1 });
  await assert.rejects(worker.ask({ fail: 'no such file' }), { message: 'no such file' });
  assert.equal(await worker.ask({}), null);
  worker.kill();
  await worker.exited;
});

test('one that does not come back is killed, while this process goes on', async () => {
  const worker = start();
  const other = start();
  const hanging = worker.ask({ hang: true });
  assert.throws(() => worker.ask({ say: 1 }), /was not answered yet/);
  assert.equal(await other.ask({ say: 2 }), 2);
  worker.kill();
  await assert.rejects(hanging, /ended \(SIGKILL\) without an answer/);
  await worker.exited;
  other.kill();
  await other.exited;
});
