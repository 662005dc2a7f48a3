import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { SerialWorkers } from './serial-workers.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a key never runs twice at once, and a wake-up meanwhile runs it again', async () => {
  const gates: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const workers = new SerialWorkers({
    clock: new FakeClock(),
    work: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => gates.push(resolve));
      running -= 1;
      return {};
    },
    onError: () => undefined,
  });
  workers.wake('a');
  workers.wake('a');
  workers.wake('a');
  await turn();
  assert.equal(gates.length, 1);
  gates.shift()?.();
  await turn();
  assert.equal(gates.length, 1, 'several wake-ups are one more run');
  gates.shift()?.();
  await turn();
  assert.equal(gates.length, 0);
  assert.equal(most, 1);
});

test('failures are tried again after growing delays, waits end in time', async () => {
  const clock = new FakeClock();
  let runs = 0;
  const workers = new SerialWorkers({
    clock,
    work: async () => {
      runs += 1;
      if (runs <= 2) throw new Error('not yet');
      return { againAtMs: clock.now() + 5000 };
    },
    onError: () => undefined,
  });
  workers.wake('a');
  await turn();
  clock.advance(200);
  await turn();
  assert.equal(runs, 2);
  clock.advance(399);
  await turn();
  assert.equal(runs, 2);
  clock.advance(1);
  await turn();
  assert.equal(runs, 3);
  clock.advance(5000);
  await turn();
  assert.equal(runs, 4);
});
