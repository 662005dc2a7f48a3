import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Coverage,
  type Hold,
  held,
  holdFor,
  isCovered,
  newCoverage,
  type Renewal,
  renewed,
} from './coverage.ts';

const LEASE = 16_000; // the guest must have ended 12 s after the last renewal was begun
type Step = ({ readonly step: 'renewal' } & Omit<Renewal, 'leaseMs'>) | ({ readonly step: 'hold' } & Hold);

const cases: readonly { name: string; steps: readonly Step[]; until: number }[] = [
  { name: 'nothing is renewed', steps: [], until: 12_000 },
  {
    name: 'a renewal counts from its begin',
    steps: [{ step: 'renewal', begunMs: 4_000, doneMs: 11_999 }],
    until: 16_000,
  },
  {
    name: 'a renewal that was on the storage too late counts for nothing',
    steps: [{ step: 'renewal', begunMs: 4_000, doneMs: 12_001 }],
    until: 12_000,
  },
  {
    name: 'after a gap the storage cannot bring it back',
    steps: [
      { step: 'renewal', begunMs: 12_001, doneMs: 12_002 },
      { step: 'renewal', begunMs: 13_000, doneMs: 13_001 },
    ],
    until: 12_000,
  },
  {
    name: 'a hold bridges a storage that does not answer',
    steps: [{ step: 'hold', sinceMs: 0, untilMs: 20_000 }],
    until: 20_000,
  },
  {
    name: 'and then the storage answers again',
    steps: [
      { step: 'hold', sinceMs: 0, untilMs: 20_000 },
      { step: 'renewal', begunMs: 19_000, doneMs: 19_500 },
    ],
    until: 31_000,
  },
  {
    name: 'a hold that began after the end is none',
    steps: [{ step: 'hold', sinceMs: 12_001, untilMs: 30_000 }],
    until: 12_000,
  },
  {
    name: 'a hold that has lasted all the time is heard of late, and counts: nobody had given up the node',
    steps: [{ step: 'hold', sinceMs: 5_000, untilMs: 80_000 }],
    until: 80_000,
  },
  {
    name: 'old news shortens nothing',
    steps: [
      { step: 'renewal', begunMs: 8_000, doneMs: 8_001 },
      { step: 'hold', sinceMs: 0, untilMs: 9_000 },
    ],
    until: 20_000,
  },
];

for (const { name, steps, until } of cases)
  test(name, () => {
    const apply = (coverage: Coverage, step: Step): Coverage =>
      step.step === 'hold' ? held(coverage, step) : renewed(coverage, { ...step, leaseMs: LEASE });
    const coverage = steps.reduce(apply, newCoverage(0, LEASE));
    assert.equal(coverage.untilMs, until);
    assert.ok(isCovered(coverage, until));
    assert.ok(!isCovered(coverage, until + 1));
  });

test('what virt-handler says counts when it reads the same clock, and judges by no longer silence', () => {
  const said = { sinceBootMs: 10_000, untilBootMs: 35_000, nowBootMs: 20_000, silenceMs: 20_000 };
  const counts = (silenceMs: number, nowMs: number): boolean => holdFor(said, silenceMs, nowMs) !== undefined;
  assert.deepEqual(holdFor(said, 20_000, 20_010), { sinceMs: 10_000, untilMs: 35_000 });
  assert.ok(counts(20_000, 25_000), 'it took a while to come here');
  assert.ok(!counts(20_000, 25_001), 'too long ago, or by a clock that is behind');
  assert.ok(!counts(20_000, 19_900), 'by a clock that is ahead');
  assert.ok(counts(60_000, 20_000) && !counts(19_000, 20_000));
});
