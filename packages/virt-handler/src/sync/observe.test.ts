import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { domainState, vmiOf } from '../testing/objects.ts';
import { observe, type Parts } from './observe.ts';

const off = domainState({ state: 'Shutoff', reason: 'Destroyed' });
const ended: Pod = { metadata: {}, spec: { containers: [] }, status: { phase: 'Succeeded' } };
const silent = {
  view: { kind: 'unknown', why: 'lost', sinceMs: 0 },
  connected: false,
  sinceMs: 5_000,
  final: undefined,
} as const;
const parts = (changes: Partial<Parts>): Parts => ({
  vmi: { kind: 'ours', vmi: vmiOf({ phase: 'Running' }) },
  record: undefined,
  launcher: silent,
  pod: undefined,
  hasPodDirectory: true,
  mayRunOnTarget: false,
  shutdown: {},
  syncNotBeforeMs: 0,
  nowMs: 10_000,
  ...changes,
});

describe('what counts as the truth about a domain', () => {
  test('silence is unknown, as long as the Pod may live', () => {
    assert.equal(observe(parts({})).view.kind, 'unknown');
  });

  test('the end of the Pod is proof; so is its removed directory, but not its missing object', () => {
    assert.deepEqual(observe(parts({ pod: ended })).view, { kind: 'absent', proof: 'pod-ended' });
    assert.deepEqual(observe(parts({ hasPodDirectory: false })).view, { kind: 'absent', proof: 'pod-ended' });
  });

  test('the last word of a launcher counts until it is reported', () => {
    const launcher = { ...silent, final: off };
    assert.deepEqual(observe(parts({ launcher, pod: ended })).view, { kind: 'present', domain: off });
    const reported = { kind: 'ours', vmi: vmiOf({ phase: 'Failed' }) } as const;
    assert.equal(observe(parts({ launcher, pod: ended, vmi: reported })).view.kind, 'absent');
    assert.equal(observe(parts({ launcher, pod: ended, vmi: { kind: 'gone' } })).view.kind, 'absent');
  });

  test('the wait for a launcher begins with the hand-over, however long images took', () => {
    const vmi = vmiOf({
      phase: 'Scheduled',
      phaseTransitionTimestamps: [{ phase: 'Scheduled', phaseTransitionTimestamp: '1970-01-01T00:00:09Z' }],
    });
    assert.equal(observe(parts({ vmi: { kind: 'ours', vmi } })).linkSinceMs, 9_000);
    assert.equal(observe(parts({})).linkSinceMs, 5_000);
  });
});
