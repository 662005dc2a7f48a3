import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RenewalReading } from '@podvisor/storage';
import { type LeaseStep, type LeaseWatch, observeLease } from './observe-lease.ts';

const runner = { uid: 'u', pod: 'p' };
const reading = (count: number, more: object = {}): RenewalReading => {
  const holder = { vmi: 'shop/vm', uid: 'u', pod: 'p', node: 'n' };
  const renewal = { epoch: 2, holder, leaseMs: 16_000, silenceMs: 20_000, count, ...more };
  return { bytes: JSON.stringify(renewal), renewal };
};
const torn: RenewalReading = { bytes: '{"epo' };

/** Readings with their times; answers the last step. */
function read(...readings: readonly (readonly [RenewalReading, number])[]): LeaseStep {
  return readAfter(20_000, ...readings);
}

/** The same, by one who began after so long a silence of the node. */
function readAfter(silentMs: number, ...readings: readonly (readonly [RenewalReading, number])[]): LeaseStep {
  let watch: LeaseWatch = { runner, silentMs };
  let step: LeaseStep = { kind: 'watch', watch };
  for (const [found, atMs] of readings) {
    step = observeLease(watch, found, atMs);
    if (step.kind !== 'end') watch = step.watch;
  }
  return step;
}

test('the whole time must have been seen, from the first reading on', () => {
  assert.equal(read([reading(1), 1_000], [reading(1), 16_999]).kind, 'watch');
  const step = read([reading(1), 1_000], [reading(1), 17_000]);
  assert.ok(step.kind === 'silent' && step.report.verdict === 'expired');
  assert.equal(step.report.message, 'not renewed for 16 s (epoch 2)');
});

test('who begins before the node counts as lost ends when both its silence and the lease are over', () => {
  assert.equal(readAfter(2_000, [reading(1), 0], [reading(1), 17_999]).kind, 'watch');
  assert.equal(readAfter(2_000, [reading(1), 0], [reading(1), 18_000]).kind, 'silent');
  // The storage was away, the node held the guest, and the guest renews its lease before the silence is over.
  assert.equal(readAfter(2_000, [reading(1), 0], [reading(2), 17_000], [reading(2), 18_000]).kind, 'watch');
  assert.equal(
    readAfter(2_000, [reading(1, { silenceMs: 60_000 }), 0], [reading(1, { silenceMs: 60_000 }), 57_999])
      .kind,
    'watch',
    'the silence is the one that the runner was started with',
  );
});

test('any change begins the count anew, also a torn one and one that was only seen at its end', () => {
  assert.equal(read([reading(1), 0], [reading(2), 15_999], [reading(2), 20_000]).kind, 'watch');
  assert.equal(read([reading(1), 0], [torn, 10_000], [reading(1), 16_000]).kind, 'watch');
  assert.equal(
    read([reading(1), 0], [reading(9), 60_000]).kind,
    'watch',
    'the reader slept, the runner did not',
  );
});

test('the length is the one that the runner was started with', () => {
  assert.equal(
    read([reading(1, { leaseMs: 60_000 }), 0], [reading(1, { leaseMs: 60_000 }), 59_999]).kind,
    'watch',
  );
});

test('given back, of somebody else, or never a lease', () => {
  const verdict = (step: LeaseStep): string => (step.kind === 'end' ? step.report.verdict : step.kind);
  assert.equal(verdict(read([reading(5, { released: true }), 0])), 'released');
  const other = { vmi: 'shop/vm', uid: 'u', pod: 'another', node: 'm' };
  assert.equal(verdict(read([reading(1, { holder: other }), 0])), 'foreign');
  assert.equal(verdict(read([reading(1, { holder: other, released: true }), 0])), 'foreign');
  assert.equal(verdict(read([{ bytes: '' }, 0], [{ bytes: '' }, 299_999])), 'watch');
  assert.equal(verdict(read([{ bytes: '' }, 0], [{ bytes: '' }, 300_000])), 'foreign');
  assert.equal(verdict(read([torn, 0], [torn, 300_000])), 'foreign', 'a torn lease proves nothing, ever');
});
