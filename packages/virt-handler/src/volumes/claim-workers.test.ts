import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, requireUid } from '@podvisor/base';
import type { WorkerProcess } from '@podvisor/sys';
import type { ClaimTask } from './claim-task.ts';
import { ClaimWorkers, StorageSilentError } from './claim-workers.ts';

const TASK: ClaimTask = {
  kind: 'give',
  launcher: { pid: 1, podUid: requireUid('11111111-2222-3333-4444-555555555555') },
  path: '/claim',
};

/** A process that answers when it is told to. */
class FakeWorker implements WorkerProcess {
  readonly pid = 1;
  isKilled = false;
  #asked = Promise.withResolvers<unknown>();
  readonly #ended = Promise.withResolvers<void>();
  readonly exited = this.#ended.promise;

  ask(): Promise<unknown> {
    this.#asked = Promise.withResolvers();
    return this.#asked.promise;
  }

  answer(value: unknown): void {
    this.#asked.resolve(value);
  }

  kill(): void {
    this.isKilled = true;
  }

  /** The kernel lets go of it. */
  end(): void {
    this.#asked.reject(new Error('ended'));
    this.#ended.resolve();
  }
}

function world(): { clock: FakeClock; started: FakeWorker[]; workers: ClaimWorkers } {
  const clock = new FakeClock();
  const started: FakeWorker[] = [];
  const start = (): FakeWorker => {
    const worker = new FakeWorker();
    started.push(worker);
    return worker;
  };
  return { clock, started, workers: new ClaimWorkers({ clock, start }) };
}

const NFS = { storage: '0:50', volume: 'data' };
const DISK = { storage: '8:1', volume: 'root' };

test('one process does one task after the other, and ends when there was none for a while', async () => {
  const { clock, started, workers } = world();
  for (let times = 0; times < 3; times += 1) {
    const done: Promise<unknown> = workers.run(DISK, TASK);
    started[0]?.answer(null);
    assert.equal(await done, null);
  }
  assert.equal(started.length, 1);
  assert.equal(started[0]?.isKilled, false);
  clock.advance(10_000);
  assert.equal(started[0]?.isKilled, true);
});

test('a storage that does not answer fails its own task in time, and nobody else waits for it', async () => {
  const { clock, started, workers } = world();
  const hanging = workers.run(NFS, TASK);
  const other = workers.run(DISK, TASK);
  started[1]?.answer(null);
  assert.equal(await other, null, 'while the first one hangs');
  const failed = assert.rejects(hanging, StorageSilentError);
  clock.advance(10_000);
  await failed;
  assert.equal(started[0]?.isKilled, true, 'it does nothing more when the storage comes back');
});

test('nothing more is asked of a silent storage until its process has ended', async () => {
  const { clock, started, workers } = world();
  const failed = assert.rejects(workers.run(NFS, TASK), /volume data has not answered for 10 s/);
  clock.advance(10_000);
  await failed;
  clock.advance(20_000);
  await assert.rejects(
    workers.run({ ...NFS, volume: 'more' }, TASK),
    /volume more has not answered for 30 s/,
  );
  assert.equal(started.length, 1, 'one storage costs one process');
  started[0]?.end();
  await started[0]?.exited;
  const again = workers.run(NFS, TASK);
  assert.equal(started.length, 2);
  started[1]?.answer(null);
  assert.equal(await again, null);
});

test('a process that ends by itself fails its task, and the next one gets another', async () => {
  const { started, workers } = world();
  const done = workers.run(DISK, TASK);
  started[0]?.answer(null);
  await done;
  started[0]?.end();
  await started[0]?.exited;
  const next = workers.run(DISK, TASK);
  const failed = assert.rejects(next, /ended/);
  started[1]?.end();
  await failed;
  assert.equal(started.length, 2);
});
