import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import type { LibvirtConnection, LibvirtState } from '@podvisor/libvirt';
import { silentLog } from '../../log.ts';
import { type RecoveryIo, recoverPostCopy } from './recover-post-copy.ts';

const DOMAIN = { name: 'default_vm', uuid: 'b9df5113-f58d-429a-ad18-97e8c36342c4', id: 1 };
const BROKEN: LibvirtState = { state: 3, reason: 13 };
const WAITING: LibvirtState = { state: 3, reason: 2 };
const RUNS: LibvirtState = { state: 1, reason: 2 };
const never = new Promise<never>(() => {});

/** Two ends in the given states, whose steps are answered by `answer`. */
function ends(
  clock: FakeClock,
  source: () => LibvirtState,
  target: () => LibvirtState,
  answer: (step: string, signal?: AbortSignal) => Promise<unknown>,
): { readonly io: RecoveryIo; readonly steps: string[] } {
  const steps: string[] = [];
  const end = (name: string, state: () => LibvirtState): LibvirtConnection => {
    const step =
      (of: string) =>
      (...args: readonly unknown[]): Promise<unknown> => {
        steps.push(`${name} ${of}`);
        return answer(
          `${name} ${of}`,
          args.find((arg) => arg instanceof AbortSignal),
        );
      };
    const migration = Object.fromEntries(
      ['begin', 'prepare', 'perform', 'finish', 'confirm'].map((of) => [of, step(of)]),
    );
    const connection: object = {
      lookupByName: async () => DOMAIN,
      state: async () => state(),
      migration,
      [Symbol.asyncDispose]: async () => {},
    };
    return connection as LibvirtConnection;
  };
  const io: RecoveryIo = {
    source: () => end('source', source),
    dial: async () => end('target', target),
    domain: DOMAIN,
    flags: 0,
    targetFlags: 0,
    sourceParams: [],
    targetParams: [],
    targetGone: never,
    clock,
    log: silentLog,
  };
  return { io, steps };
}

/** Lets time pass until the promise settles. */
async function inTime<T>(clock: FakeClock, promise: Promise<T>): Promise<{ value: T; ms: number }> {
  let settled: { value: T } | undefined;
  void promise.then((value) => {
    settled = { value };
  });
  const from = clock.now();
  for (let i = 0; i < 2_000 && settled === undefined; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(100);
  }
  assert.ok(settled !== undefined, 'it did not end');
  return { value: settled.value, ms: clock.now() - from };
}

test('a target that never answers the question to let the guest run is given up in time', async () => {
  const clock = new FakeClock();
  let isLeft = false;
  const { io, steps } = ends(
    clock,
    () => BROKEN,
    () => WAITING,
    (step, signal) => {
      if (step !== 'target finish') return Promise.resolve({});
      signal?.addEventListener('abort', () => {
        isLeft = true;
      });
      return never;
    },
  );
  const { value, ms } = await inTime(
    clock,
    recoverPostCopy(io, new Error('broken'), false, new AbortController().signal),
  );
  assert.equal(value.kind, 'lost');
  assert.ok(ms < 45_000, `it took ${ms} ms`);
  assert.equal(steps.filter((step) => step === 'target finish').length, 1, 'it was asked once');
  assert.equal(isLeft, true, 'nobody waits for it any more');
});

test('a resumed post-copy may take as long as it takes', async () => {
  const clock = new FakeClock();
  let state = BROKEN;
  const { io, steps } = ends(
    clock,
    () => BROKEN,
    () => state,
    async (step) => {
      if (step === 'source perform') clock.after(120_000, () => (state = RUNS));
      return step === 'target finish' ? never : { cookie: Buffer.alloc(0), xml: '' };
    },
  );
  const { value, ms } = await inTime(
    clock,
    recoverPostCopy(io, new Error('broken'), true, new AbortController().signal),
  );
  assert.equal(value.kind, 'handed-over');
  assert.ok(ms >= 120_000);
  assert.deepEqual(steps, [
    ...['source begin', 'target prepare', 'source perform', 'target finish', 'source confirm'],
  ]);
});
