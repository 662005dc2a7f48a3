import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { silentLog } from '../../log.ts';
import { endStuck } from './end-stuck.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function story(standsStill: () => boolean = () => true): {
  readonly said: string[];
  readonly breakWay: () => void;
  readonly proveGone: () => void;
  readonly finish: () => void;
  readonly pass: (ms: number) => Promise<void>;
} {
  const clock = new FakeClock();
  const said: string[] = [];
  const broken = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const moved = Promise.withResolvers<void>();
  void endStuck(
    {
      broken: broken.promise,
      askAboutTarget: () => said.push('asked'),
      targetGone: gone.promise,
      standsStill: async () => standsStill(),
      abort: async () => void said.push('aborted'),
      restartLibvirtd: () => void said.push('restarted libvirtd'),
      destroy: async () => void said.push('destroyed'),
      clock,
      log: silentLog,
    },
    moved.promise,
    new AbortController().signal,
  );
  return {
    said,
    breakWay: broken.resolve,
    proveGone: gone.resolve,
    finish: moved.resolve,
    pass: async (ms) => {
      for (let i = 0; i < 10; i++) {
        await turn();
        clock.advance(ms / 10);
      }
      await turn();
    },
  };
}

test('a guest that runs is not ended for a target that is gone: libvirt is made to let go', async () => {
  const { said, breakWay, proveGone, pass } = story(() => false);
  breakWay();
  await pass(10_000);
  assert.deepEqual(said, ['asked']);
  proveGone();
  await pass(1_000);
  assert.deepEqual(said, ['asked', 'aborted']);
  await pass(11_000);
  assert.deepEqual(said, ['asked', 'aborted', 'restarted libvirtd']);
  await pass(600_000);
  assert.deepEqual(said, ['asked', 'aborted', 'restarted libvirtd']);
});

test('a guest that is stopped for the hand-over meanwhile is ended', async () => {
  let isStopped = false;
  const { said, breakWay, proveGone, pass } = story(() => isStopped);
  breakWay();
  proveGone();
  await pass(6_000);
  isStopped = true;
  await pass(11_000);
  assert.deepEqual(said, ['asked', 'aborted', 'destroyed']);
});

test('who lets go when he is asked is not started anew', async () => {
  const { said, breakWay, proveGone, finish, pass } = story(() => false);
  breakWay();
  proveGone();
  await pass(10_000);
  finish();
  await pass(600_000);
  assert.deepEqual(said, ['asked', 'aborted']);
});

test('a QEMU that stands still and waits for a target that is gone is ended', async () => {
  const { said, breakWay, proveGone, pass } = story();
  await pass(600_000);
  assert.deepEqual(said, [], 'a long migration is no stuck one');
  breakWay();
  await pass(10_000);
  assert.deepEqual(said, ['asked']);
  await pass(600_000);
  assert.deepEqual(said, ['asked'], 'unknown is not gone');
  proveGone();
  await pass(20_000);
  assert.deepEqual(said, ['asked', 'destroyed']);
});

test('who notices by himself is left alone', async () => {
  const early = story();
  early.breakWay();
  await early.pass(2_000);
  early.finish();
  await early.pass(60_000);
  assert.deepEqual(early.said, []);
  const late = story();
  late.breakWay();
  await late.pass(10_000);
  late.proveGone();
  await late.pass(5_000);
  late.finish();
  await late.pass(60_000);
  assert.deepEqual(late.said, ['asked']);
});
