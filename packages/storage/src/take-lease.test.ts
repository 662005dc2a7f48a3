/**
 * Taking a lease is exclusive. As a model: every order of the steps of two takers, and many of those of more, on a
 * directory in memory. For real: processes that take from each other and are stopped and continued all the time.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import { type Lease, readLease } from './lease.ts';
import { type LeaseFiles, LeaseTakenError, takeSteps } from './take-lease.ts';
import { memoryLeaseFiles } from './testing/memory-lease-files.ts';

const IMAGE = '/claim/disk.img';

/** A taker that begins where the model says, takes, and has the disk from then on for as long as it is not proven gone. */
interface Taker {
  readonly name: string;
  step(): 'goes on' | 'won' | 'lost';
  readonly lease: Lease | undefined;
}

function taker(files: LeaseFiles, name: string, after: number | undefined): Taker {
  const holder = { vmi: 'shop/web', uid: name, pod: name };
  const steps = takeSteps(files, IMAGE, { holder, takenAt: '', token: name, after });
  let lease: Lease | undefined;
  return {
    name,
    step: () => {
      try {
        const { done, value } = steps.next();
        if (done !== true) return 'goes on';
        lease = value;
        return 'won';
      } catch (error) {
        assert.ok(error instanceof LeaseTakenError, String(error));
        return 'lost';
      }
    },
    get lease() {
      return lease;
    },
  };
}

/** Lets the takers step in this order; each name that is left over runs to its end. Answers who has won which epoch. */
function play(takers: readonly Taker[], order: readonly number[]): readonly Lease[] {
  const over = new Set<number>();
  const step = (index: number): void => {
    if (!over.has(index) && takers[index]?.step() !== 'goes on') over.add(index);
  };
  for (const index of order) step(index);
  takers.forEach((_, index) => {
    while (!over.has(index)) step(index);
  });
  return takers.flatMap(({ lease }) => lease ?? []);
}

/** All orders of `a` steps of one and `b` of another. */
function* orders(a: number, b: number): Generator<readonly number[]> {
  if (a === 0 || b === 0) {
    yield [...Array(a).fill(0), ...Array(b).fill(1)] as number[];
    return;
  }
  for (const rest of orders(a - 1, b)) yield [0, ...rest];
  for (const rest of orders(a, b - 1)) yield [1, ...rest];
}

test('two takers after one proof, in every order of their steps: one has it', () => {
  let count = 0;
  for (const order of orders(7, 7)) {
    const files = memoryLeaseFiles();
    play([taker(files, 'before', undefined)], []);
    const winners = play([taker(files, 'a', 1), taker(files, 'b', 1)], order);
    assert.deepEqual(
      winners.map(({ epoch }) => epoch),
      [2],
      order.join(''),
    );
    count += 1;
  }
  assert.equal(count, 3432);
});

test('one that stands still at any step while others come and go has nothing when it goes on', () => {
  for (let steps = 0; steps <= 4; steps += 1) {
    const files = memoryLeaseFiles();
    play([taker(files, 'before', undefined)], []);
    const slow = taker(files, 'slow', 1);
    for (let step = 0; step < steps; step += 1) slow.step();
    const others = Array.from({ length: 5 }, (_, index) => taker(files, `other-${index}`, undefined));
    const taken = others.flatMap((other) => play([other], []));
    const [last] = play([slow], []);
    // Later than that it was a runner that stood still: it has had the disk, and looks again before it goes on.
    assert.equal(last?.epoch, steps < 4 ? undefined : 2, `after ${steps} steps`);
    assert.equal(new Set(taken.map(({ epoch }) => epoch)).size, 5);
    const next = play([taker(files, 'next', undefined)], []);
    assert.equal(next[0]?.epoch, Math.max(...taken.map(({ epoch }) => epoch)) + 1, 'no epoch is forgotten');
  }
});

test('four takers in random orders, each on what it sees: no epoch has two, and none that counts is lost', () => {
  let seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((seed / 0x8000_0000) * below);
  };
  for (let round = 0; round < 5_000; round += 1) {
    const files = memoryLeaseFiles();
    const takers = Array.from({ length: 4 }, (_, index) =>
      taker(files, `t${index}`, random(2) === 0 ? 0 : undefined),
    );
    const order = Array.from({ length: 28 }, () => random(4));
    const winners = play(takers, order);
    const epochs = winners.map(({ epoch }) => epoch);
    assert.equal(new Set(epochs).size, epochs.length, `${round}: ${order.join('')}`);
    const proven = takers.filter(({ lease }) => lease?.epoch === 1);
    assert.ok(proven.length <= 1);
    assert.ok(winners.length > 0, `${round}: somebody has it`);
    const newest = files.some().flatMap((name) => /\.lease\.(\d+)$/.exec(name)?.[1] ?? []);
    assert.deepEqual(Math.max(...newest.map(Number)) >= Math.max(...epochs), true);
  }
});

/** Takes again and again, prints each epoch that it got, and ends when its input does. */
const PROGRAM = `
import { readLease } from '${join(import.meta.dirname, 'lease.ts')}';
import { LeaseTakenError, takeLease } from '${join(import.meta.dirname, 'take-lease.ts')}';
const [image, name] = process.argv.slice(-2);
let isOver = false;
process.stdin.resume().once('end', () => { isOver = true; });
while (!isOver) {
  try {
    const after = readLease(image)?.epoch ?? 0;
    console.log(takeLease(image, { vmi: 'shop/web', uid: name, pod: name }, 'now', { after }).epoch);
  } catch (error) {
    if (!(error instanceof LeaseTakenError)) throw error;
  }
  await new Promise(setImmediate);
}
`;

test('processes that are stopped and continued all the time: each epoch is of one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-takers-'));
  const image = join(directory, 'disk.img');
  const outputs: string[] = [];
  const takers = Array.from({ length: 4 }, (_, index) => {
    const args = ['--input-type=module', '-e', PROGRAM, '--', image, `taker-${index}`];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    outputs[index] = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (outputs[index] += text));
    return child;
  });
  const ended = takers.map((child) => once(child, 'close'));
  const signal = (child: ChildProcess | undefined, name: NodeJS.Signals): void => void child?.kill(name);
  try {
    while (outputs.some((output) => output === '')) await delay(10);
    for (let round = 0; round < 150; round += 1) {
      const one = takers[round % 4];
      signal(one, 'SIGSTOP');
      await delay(round % 7);
      signal(takers[(round + 3) % 4], 'SIGCONT');
    }
  } finally {
    for (const child of takers) {
      signal(child, 'SIGCONT');
      child.stdin.end();
    }
    await Promise.all(ended);
  }
  try {
    const epochs = outputs.flatMap((output) => output.trim().split('\n').map(Number));
    assert.equal(new Set(epochs).size, epochs.length, 'no epoch twice');
    assert.equal(readLease(image)?.epoch, Math.max(...epochs));
    assert.ok(epochs.length > 50, `${epochs.length} takings`);
    assert.ok(readdirSync(directory).length < 60, 'what is old is removed');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
