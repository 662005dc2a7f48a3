import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DomainStateName, DomainStateReason, Pod } from '@podvisor/api';
import type { DomainView } from '../../launcher-client/domain-view.ts';
import { domainState, vmiOf } from '../../testing/objects.ts';
import { nextPhase } from './phase.ts';
import { LAUNCHER_WAIT_MS } from '../reconcile.ts';
import type { Situation } from '../situation.ts';

function situation(view: DomainView, changes: Partial<Situation> = {}): Situation {
  return {
    vmi: { kind: 'unknown' },
    view,
    connected: true,
    linkSinceMs: 0,
    pod: undefined,
    mayRunOnTarget: false,
    shutdown: {},
    isSpecSynced: true,
    plugged: new Set(),
    syncNotBeforeMs: 0,
    nowMs: 1000,
    ...changes,
  };
}

const pod = (exitCode: number): Pod => ({
  metadata: {},
  spec: { containers: [] },
  status: {
    containerStatuses: [
      {
        name: 'compute',
        ready: false,
        restartCount: 0,
        image: '',
        imageID: '',
        state: { terminated: { exitCode } },
      },
    ],
  },
});

describe('phase of a domain', () => {
  const cases: readonly (readonly [
    DomainStateName,
    DomainStateReason,
    number | undefined,
    string | undefined,
  ])[] = [
    ['Running', '', undefined, 'Running'],
    ['Blocked', '', undefined, 'Running'],
    ['PMSuspended', '', undefined, 'Running'],
    ['Paused', 'User', undefined, 'Running'],
    ['Paused', 'Migration', undefined, 'Running'],
    ['Paused', 'StartingUp', undefined, undefined],
    ['Paused', 'PostcopyFailed', undefined, 'Failed'],
    ['ShuttingDown', '', undefined, undefined],
    ['Shutoff', 'Shutdown', undefined, 'Succeeded'],
    ['Shutoff', 'Saved', undefined, 'Succeeded'],
    ['Shutoff', 'FromSnapshot', undefined, 'Succeeded'],
    ['Shutoff', 'Crashed', undefined, 'Failed'],
    ['Shutoff', 'Panicked', undefined, 'Failed'],
    ['Crashed', 'Panicked', undefined, 'Failed'],
    ['Crashed', '', undefined, 'Failed'],
    ['Shutoff', 'Destroyed', undefined, 'Failed'],
    ['Shutoff', 'Destroyed', 0, 'Succeeded'],
    ['Shutoff', 'Migrated', undefined, undefined],
    ['Shutoff', 'Unknown', undefined, undefined],
  ];
  for (const [state, reason, grace, expected] of cases)
    test(`${state} ${reason} grace ${grace ?? 'default'} → ${expected ?? 'as it is'}`, () => {
      const vmi = vmiOf({ phase: 'Running' }, {}, grace);
      assert.equal(
        nextPhase(vmi, situation({ kind: 'present', domain: domainState({ state, reason }) })),
        expected,
      );
    });

  test('killed without ACPI counts as succeeded', () => {
    const vmi = vmiOf({ phase: 'Running' });
    const deaf = {
      ...vmi,
      spec: { ...vmi.spec, domain: { ...vmi.spec.domain, features: { acpi: { enabled: false } } } },
    };
    const view: DomainView = {
      kind: 'present',
      domain: domainState({ state: 'Shutoff', reason: 'Destroyed' }),
    };
    assert.equal(nextPhase(deaf, situation(view)), 'Succeeded');
  });
});

describe('phase without a domain', () => {
  const says: DomainView = { kind: 'absent', proof: 'launcher-says-so' };
  const ended: DomainView = { kind: 'absent', proof: 'pod-ended' };
  const unknown: DomainView = { kind: 'unknown', why: '', sinceMs: 0 };
  const cases: readonly (readonly [string, string, Situation, string | undefined])[] = [
    ['not started yet', 'Scheduled', situation(says), undefined],
    ['vanished while running', 'Running', situation(says), 'Failed'],
    ['Pod ended well', 'Running', situation(ended, { pod: pod(0) }), 'Succeeded'],
    ['Pod ended badly', 'Running', situation(ended, { pod: pod(137) }), 'Failed'],
    ['Pod ended before the start', 'Scheduled', situation(ended, { pod: pod(0) }), 'Failed'],
    ['launcher away', 'Running', situation(unknown, { nowMs: LAUNCHER_WAIT_MS * 100 }), undefined],
    ['launcher not there yet', 'Scheduled', situation(unknown, { nowMs: LAUNCHER_WAIT_MS - 1 }), undefined],
    ['launcher never came', 'Scheduled', situation(unknown, { nowMs: LAUNCHER_WAIT_MS }), 'Failed'],
    ['final stays final', 'Succeeded', situation(says), undefined],
  ];
  for (const [name, phase, input, expected] of cases)
    test(name, () => assert.equal(nextPhase(vmiOf({ phase }), input), expected));

  test('deleted before it was started', () => {
    assert.equal(
      nextPhase(vmiOf({ phase: 'Scheduled' }, { deletionTimestamp: 'x' }), situation(says)),
      'Succeeded',
    );
  });
});
