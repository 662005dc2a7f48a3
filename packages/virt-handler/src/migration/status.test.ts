import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MIGRATION_REPORT_ANNOTATION, type Pod, type SourceMigration, type VMIStatus } from '@podvisor/api';
import { nextPhase } from '../sync/status/phase.ts';
import { reconcile } from '../sync/reconcile.ts';
import type { Situation } from '../sync/situation.ts';
import { domainState, vmiOf } from '../testing/objects.ts';
import { migrationStatus, withReport } from './status.ts';

const state = {
  migrationUid: 'm1',
  sourceNode: 'n1',
  targetNode: 'n2',
  targetPod: 'target',
  startTimestamp: '2026-01-01T00:00:00Z',
};
const vmi = vmiOf({ phase: 'Running', migrationState: state });
const job: SourceMigration = {
  role: 'source',
  uid: 'm1',
  startTimestamp: state.startTimestamp,
  mode: 'PreCopy',
};
const ended: Pod = { metadata: {}, spec: { containers: [] }, status: { phase: 'Succeeded' } };

function situation(
  migration: SourceMigration | undefined,
  domain: Parameters<typeof domainState>[0] = {},
  rest: Partial<Situation> = {},
): Situation {
  return {
    vmi: { kind: 'ours', vmi },
    view: {
      kind: 'present',
      domain: domainState({ ...domain, ...(migration === undefined ? {} : { migration }) }),
    },
    connected: true,
    linkSinceMs: 0,
    pod: undefined,
    mayRunOnTarget: false,
    plugged: new Set(),
    shutdown: {},
    isSpecSynced: true,
    syncNotBeforeMs: 0,
    nowMs: Date.parse('2026-01-01T00:00:05Z'),
    ...rest,
  };
}

const told = (migration: SourceMigration | undefined): VMIStatus['migrationState'] =>
  migrationStatus(vmi, vmi.status ?? {}, situation(migration)).migrationState;

describe('what the source tells', () => {
  test('mode and abort as they come; the end once, with all that belongs to it', () => {
    assert.equal(told({ ...job, mode: 'PostCopy' })?.mode, 'PostCopy');
    assert.equal(told({ ...job, abortStatus: 'Aborting' })?.abortStatus, 'Aborting');
    assert.equal(told(job)?.completed, undefined);
    const failed = told({
      ...job,
      completed: true,
      failed: true,
      failureReason: 'because',
      endTimestamp: '2026-01-01T00:00:04Z',
    });
    assert.deepEqual(
      [failed?.completed, failed?.failed, failed?.failureReason, failed?.endTimestamp],
      [true, true, 'because', '2026-01-01T00:00:04Z'],
    );
  });

  test('nothing of another migration, and nothing after the end', () => {
    assert.equal(told({ ...job, uid: 'm0', completed: true }), state);
    const over = { ...vmi, status: { ...vmi.status, migrationState: { ...state, completed: true } } };
    const later = migrationStatus(over, over.status, situation({ ...job, completed: true, failed: true }));
    assert.equal(later.migrationState?.failed, undefined);
  });

  test('the report goes along with the end', () => {
    const report = { uid: 'm1', mode: 'PreCopy', totalMs: 5 } as const;
    const at = situation({ ...job, completed: true, report });
    const status = migrationStatus(vmi, vmi.status ?? {}, at);
    const noted = withReport(vmi, status, at);
    assert.deepEqual(JSON.parse(noted.metadata?.annotations?.[MIGRATION_REPORT_ANNOTATION] ?? ''), report);
    assert.equal(withReport(vmi, vmi.status ?? {}, situation(job)), vmi);
  });
});

describe('while it moves', () => {
  test('nothing else is done to the guest', () => {
    assert.equal(reconcile(situation(job, {}, { isSpecSynced: false })).kind, 'wait');
    const moved = { ...job, completed: true };
    const off = { state: 'Shutoff', reason: 'Migrated' } as const;
    assert.equal(reconcile(situation(moved, off)).kind, 'wait');
    assert.equal(reconcile(situation({ ...moved, failed: true }, {}, { isSpecSynced: false })).kind, 'sync');
    // The target is being made ready for the guest as it is.
    assert.equal(reconcile(situation(undefined, {}, { isSpecSynced: false })).kind, 'wait');
  });

  test('that QEMU has ended here does not end the VMI, unless the migration failed', () => {
    const off = { state: 'Shutoff', reason: 'Destroyed' } as const;
    assert.equal(nextPhase(vmi, situation(job, off)), undefined);
    assert.equal(nextPhase(vmi, situation({ ...job, completed: true }, off)), undefined);
    const crashed = { state: 'Shutoff', reason: 'Crashed' } as const;
    assert.equal(nextPhase(vmi, situation({ ...job, completed: true, failed: true }, crashed)), 'Failed');
  });

  test('half a guest is not over until its launcher says so', () => {
    const half = { state: 'Paused', reason: 'PostcopyFailed' } as const;
    const broken = { ...job, mode: 'PostCopy' as const, isUndecided: true };
    assert.equal(nextPhase(vmi, situation(broken, half)), undefined);
    assert.equal(reconcile(situation(broken, half)).kind, 'wait');
    const lost = { ...broken, completed: true, failed: true };
    assert.equal(nextPhase(vmi, situation(lost, half)), 'Failed');
    const off = { state: 'Shutoff', reason: 'Destroyed' } as const;
    assert.equal(nextPhase(vmi, situation(lost, off)), 'Failed');
  });

  test('a source Pod that has ended says nothing while the target may run the guest', () => {
    const gone = { view: { kind: 'absent', proof: 'pod-ended' } as const, pod: ended, connected: false };
    const may = situation(undefined, {}, { ...gone, mayRunOnTarget: true });
    assert.equal(nextPhase(vmi, may), undefined);
    assert.equal(reconcile(may).kind, 'wait');
    // The target is proven to have ended too: a guest that nobody shut down is gone.
    assert.equal(nextPhase(vmi, situation(undefined, {}, gone)), 'Failed');
  });

  test('a source that stands still is ended when the VMI runs elsewhere, and never before', () => {
    const undecided = { ...job, isUndecided: true };
    const paused = { state: 'Paused', reason: 'Migration' } as const;
    assert.equal(reconcile(situation(undecided, paused)).kind, 'wait');
    const elsewhere = situation(undecided, paused, { vmi: { kind: 'elsewhere' } });
    assert.deepEqual(reconcile(elsewhere), { kind: 'kill', why: 'VMI runs elsewhere' });
    assert.equal(reconcile(situation(job, {}, { vmi: { kind: 'elsewhere' } })).kind, 'wait');
    assert.equal(reconcile(situation(undecided, paused, { vmi: { kind: 'unknown' } })).kind, 'wait');
  });
});
