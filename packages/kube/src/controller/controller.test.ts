import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, StatusError } from '@podvisor/base';
import { runController } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

const settle = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

function setUp(reconcile: (key: string) => Promise<{ requeueAfterMs?: number } | void>) {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  const abort = new AbortController();
  const warnings: string[] = [];
  const log = {
    info: () => undefined,
    warn: (fields: object) => warnings.push(JSON.stringify(fields)),
    error: () => undefined,
  };
  const done = runController({ name: 'test', queue, workers: 2, log, reconcile }, abort.signal);
  return { clock, queue, warnings, end: async () => (abort.abort(), done) };
}

test('a failed key is tried again later and its failure is told; the others go on', async () => {
  const tried: string[] = [];
  const { clock, queue, warnings, end } = setUp(async (key) => {
    tried.push(key);
    if (key === 'bad' && tried.filter((k) => k === 'bad').length < 3) throw new Error('boom');
  });
  queue.add('bad');
  queue.add('good');
  await settle();
  clock.advance(5);
  await settle();
  clock.advance(10);
  await settle();
  assert.deepEqual(tried, ['bad', 'good', 'bad', 'bad']);
  assert.equal(queue.failures('bad'), 0);
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? '', /"name":"bad","error":"boom"/);
  await end();
});

test('a conflict is tried again without noise', async () => {
  let tries = 0;
  const { clock, queue, warnings, end } = setUp(async () => {
    tries += 1;
    if (tries === 1) throw new StatusError('Conflict', 'modified');
  });
  queue.add('a');
  await settle();
  clock.advance(5);
  await settle();
  assert.equal(tries, 2);
  assert.deepEqual(warnings, []);
  await end();
});

test('requeueAfterMs calls again although nothing changed', async () => {
  let calls = 0;
  const { clock, queue, end } = setUp(async () => {
    calls += 1;
    return { requeueAfterMs: 100 };
  });
  queue.add('a');
  await settle();
  clock.advance(99);
  await settle();
  assert.equal(calls, 1);
  clock.advance(1);
  await settle();
  assert.equal(calls, 2);
  await end();
});

test('lines name the object by namespace, name and UID; successes are told to who raised the verbosity', async () => {
  const lines: Record<string, unknown>[] = [];
  const say =
    (level: string) =>
    (fields: object, msg: string): void =>
      void lines.push({ level, ...fields, msg });
  const queue = new WorkQueue({ clock: new FakeClock() });
  const stop = new AbortController();
  queue.add('n/good');
  queue.add('n/bad');
  const run = runController(
    {
      name: 'vm',
      queue,
      workers: 1,
      log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
      uidOf: (key) => `uid of ${key}`,
      reconcile: (key) => (key === 'n/bad' ? Promise.reject(new Error('no')) : Promise.resolve()),
    },
    stop.signal,
  );
  await settle();
  stop.abort();
  await run;
  const of = (name: string) => ({ controller: 'vm', namespace: 'n', name, uid: `uid of n/${name}` });
  assert.deepEqual(
    lines.map(({ ms: _ms, stack: _stack, ...rest }) => rest),
    [
      { level: 'debug', ...of('good'), msg: 'reconciled' },
      { level: 'warn', ...of('bad'), error: 'no', failures: 1, msg: 'reconcile failed, trying again' },
    ],
  );
});
