import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advance, begin, type Course, downtimeLimitMs, judge, limitsOf } from './judge.ts';
import type { Sample } from './progress.ts';

const GB = 1_000_000_000;
const limits = limitsOf({ completionTimeoutPerGiB: 100, progressTimeout: 30 }, GB, false);

function sample(atMs: number, iteration: number, remainingBytes: number, processedBytes = 0): Sample {
  return {
    atMs,
    elapsedMs: atMs,
    totalBytes: GB,
    processedBytes,
    remainingBytes,
    diskTotalBytes: 0,
    diskRemainingBytes: 0,
    iteration,
    pageBytes: 4096,
    dirtyPagesPerSecond: 0,
  };
}

const follow = (...samples: readonly Sample[]): Course => samples.reduce(advance, begin(0));

test('limits count started gigabytes; post-copy and pause only where the guest may be disrupted', () => {
  const of = (configuration: Parameters<typeof limitsOf>[0], bytes: number, devices = false) =>
    limitsOf(configuration, bytes, devices);
  assert.equal(of({}, 0.2 * GB).deadlineMs, 150_000);
  assert.equal(of({ completionTimeoutPerGiB: 10 }, 2.1 * GB).deadlineMs, 30_000);
  assert.equal(of({ completionTimeoutPerGiB: 0 }, GB).deadlineMs, Number.POSITIVE_INFINITY);
  assert.deepEqual(pick(of({ allowPostCopy: true }, GB)), [true, true]);
  assert.deepEqual(
    pick(of({ allowPostCopy: true }, GB, true)),
    [false, true],
    'host devices cannot post-copy',
  );
  assert.deepEqual(pick(of({ allowPostCopy: true, allowWorkloadDisruption: false }, GB)), [false, false]);
  assert.deepEqual(pick(of({ allowWorkloadDisruption: true }, GB)), [false, true]);
});

const pick = (l: { mayPostCopy: boolean; mayPause: boolean }): readonly boolean[] => [
  l.mayPostCopy,
  l.mayPause,
];

test('what is left goes up and down within passes: only the ends of passes count', () => {
  // Each pass begins with more than the one before had left, and ends with less than its predecessor.
  const healthy = follow(
    sample(0, 1, 900),
    sample(20_000, 1, 100, 5),
    sample(21_000, 2, 800, 6),
    sample(40_000, 2, 60, 7),
    sample(41_000, 3, 700, 8),
    sample(60_000, 3, 30, 9),
    sample(61_000, 4, 600, 10),
  );
  assert.equal(judge(healthy, limits, 80_000).kind, 'go-on');
  // Bytes flow, but no pass ends better than the first: it will never end.
  const hopeless = follow(
    sample(0, 1, 900),
    sample(10_000, 1, 100, 5),
    sample(11_000, 2, 800, 6),
    sample(20_000, 2, 120, 7),
    sample(21_000, 3, 900, 8),
    sample(44_000, 3, 110, 9),
    sample(45_000, 4, 900, 10),
  );
  const verdict = judge(hopeless, limits, 45_000);
  assert.equal(verdict.kind, 'abort');
  assert.match(verdict.kind === 'abort' ? verdict.why : '', /no progress for 34 s/);
});

test('a first pass on a slow network is alive as long as bytes move', () => {
  const slow = follow(sample(0, 1, 900, 1), sample(40_000, 1, 800, 2), sample(80_000, 1, 700, 3));
  assert.equal(judge(slow, limits, 99_000).kind, 'go-on');
  assert.equal(judge(slow, limits, 111_000).kind, 'abort');
});

test('late: post-copy, or pause, or the end, as allowed; never back from post-copy', () => {
  const course = follow(sample(0, 1, 900, 1), sample(99_000, 2, 900, 2));
  const late = 101_000;
  const may = { ...limits, stallMs: Number.POSITIVE_INFINITY };
  assert.equal(judge(course, { ...may, mayPostCopy: true, mayPause: true }, late).kind, 'post-copy');
  assert.equal(judge(course, { ...may, mayPause: true }, late).kind, 'pause');
  assert.equal(judge(course, may, late).kind, 'abort');
  const paused: Course = { ...course, mode: 'Paused' };
  assert.equal(
    judge(paused, { ...may, mayPause: true }, late).kind,
    'go-on',
    'the paused guest gets as much again',
  );
  assert.equal(judge(paused, { ...may, mayPause: true }, 201_000).kind, 'abort');
  assert.equal(judge({ ...course, mode: 'PostCopy' }, may, 1e9).kind, 'go-on');
});

test('while only disks are copied there is nothing to switch to post-copy', () => {
  const disks = follow(sample(0, 0, 900, 1), sample(99_000, 0, 100, 2));
  const may = { ...limits, mayPostCopy: true, mayPause: true };
  assert.equal(judge(disks, may, 101_000).kind, 'pause');
});

test('the guest stands still shortly when that is enough, and longer pass by pass', () => {
  const easy = follow(sample(0, 1, 900, 1), sample(5_000, 2, 100, 2));
  const limitsByPass = [0, 1, 2, 3, 4, 5, 6, 7, 50].map((pass) =>
    downtimeLimitMs(easy, pass, undefined, 5_000),
  );
  assert.deepEqual(limitsByPass, [30, 30, 30, 30, 60, 120, 240, 300, 300]);
  assert.equal(downtimeLimitMs(easy, 7, 100, 5_000), 100, 'never more than the maximum');
  assert.equal(downtimeLimitMs(easy, 1, 10, 5_000), 10);
});

test('the allowed downtime is used only by guests that do not get there without', () => {
  const hard = follow(sample(0, 1, 900, 1), sample(5_000, 2, 100, 2), sample(9_000, 3, 900, 3));
  assert.equal(downtimeLimitMs(hard, 30, 900, 18_000), 300);
  assert.equal(downtimeLimitMs(hard, 30, 900, 20_000), 900);
  assert.equal(downtimeLimitMs(hard, 30, undefined, 20_000), 300);
});
