import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MigrationState, TargetMigration } from '@podvisor/api';
import type { DomainView } from '../launcher-client/domain-view.ts';
import { domainState } from '../testing/objects.ts';
import { decideTarget, ORPHAN_MS, SOURCE_WORD_MS, type TargetSituation } from './decide-target.ts';

const nothing: DomainView = { kind: 'absent', proof: 'launcher-says-so' };
const domain = (stage: TargetMigration['stage'], state: 'Running' | 'Paused' = 'Running'): DomainView => ({
  kind: 'present',
  domain: { ...domainState({ state }), migration: { role: 'target', uid: 'm1', stage } },
});
const started = { targetNodeAddress: '10.0.0.2', startTimestamp: '2026-01-01T00:00:00Z' };

function decide(state: MigrationState, rest: Partial<TargetSituation> = {}): string {
  const decision = decideTarget({
    state: { migrationUid: 'm1', ...state },
    view: nothing,
    connected: true,
    isListening: true,
    arrivedMs: 0,
    hasSourceEnded: false,
    nowMs: 1_000,
    ...rest,
  });
  return decision.kind === 'take-over' && decision.alone ? 'take-over alone' : decision.kind;
}

test('prepares once, when the launcher answers', () => {
  assert.equal(decide({}, { isListening: false }), 'prepare');
  assert.equal(decide({}, { isListening: false, connected: false }), 'wait');
  assert.equal(decide({ targetNodeAddress: '10.0.0.2' }), 'wait');
  assert.equal(decide({ abortRequested: true }, { isListening: false }), 'wait');
});

test('after a restart of this process the address is told anew, and nothing prepared that the source uses', () => {
  assert.equal(decide({ targetNodeAddress: '10.0.0.2' }, { isListening: false }), 'prepare');
  assert.equal(decide(started, { isListening: false }), 'listen');
  assert.equal(decide(started, { isListening: false, connected: false }), 'wait');
  assert.equal(decide({ ...started, completed: true }, { isListening: false }), 'wait');
});

test('a guest that waits for its memory proves nothing', () => {
  assert.equal(decide(started, { view: domain('waiting', 'Paused'), nowMs: 1e9 }), 'wait');
  assert.equal(decide({ ...started, completed: true }, { view: domain('waiting', 'Paused') }), 'wait');
});

test('a guest that runs is told at once, and taken over on the word of the source', () => {
  const view = domain('arrived');
  assert.equal(decide(started, { view }), 'detected');
  assert.equal(decide({ ...started, targetNodeDomainDetected: true }, { view }), 'wait');
  assert.equal(decide({ ...started, completed: true }, { view }), 'take-over');
  const otherMigration = { ...started, migrationUid: 'm2', completed: true };
  assert.equal(decide(otherMigration, { view }), 'wait');
});

test('in post-copy it runs here and is not ours yet', () => {
  const view = domain('post-copy');
  assert.equal(decide(started, { view }), 'detected');
  assert.equal(decide({ ...started, targetNodeDomainDetected: true }, { view, nowMs: 1e9 }), 'wait');
  assert.equal(decide(started, { view: domain('post-copy', 'Paused') }), 'wait');
});

test('half a guest waits for the other half, and ends when that is gone', () => {
  const view = domain('broken');
  const seen = { ...started, targetNodeDomainDetected: true };
  assert.equal(decide(seen, { view }), 'wait');
  for (const one of [view, domain('post-copy')]) {
    const left = { view: one, hasSourceEnded: true, orphanedMs: 0 };
    assert.equal(decide(seen, { ...left, nowMs: ORPHAN_MS - 1 }), 'wait');
    assert.equal(decide(seen, { ...left, nowMs: ORPHAN_MS }), 'end');
    assert.equal(decide({ ...seen, migrationUid: 'm2' }, { ...left, nowMs: ORPHAN_MS }), 'wait');
  }
});

test('without a word of the source it is taken over when the source has ended, or after a while', () => {
  const view = domain('arrived');
  const seen = { ...started, targetNodeDomainDetected: true };
  assert.equal(decide(seen, { view, hasSourceEnded: true }), 'take-over alone');
  assert.equal(decide(seen, { view, arrivedMs: 0, nowMs: SOURCE_WORD_MS - 1 }), 'wait');
  assert.equal(decide(seen, { view, arrivedMs: 0, nowMs: SOURCE_WORD_MS }), 'take-over alone');
});

test('a migration that failed is given up', () => {
  assert.equal(decide({ ...started, completed: true, failed: true }), 'give-up');
});
