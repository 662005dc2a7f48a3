import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  annotations,
  HIBERNATION_VOLUME,
  HIBERNATION_VOLUME_TYPE,
  type PersistentVolumeClaim,
  type VirtualMachineInstance,
  type VMHibernation,
  type VMIStatus,
  type VMStatus,
} from '@podvisor/api';
import { NOW_MS, vmiWith, vmWith } from '../../testing/objects.ts';
import { controllerReference } from '../ownership.ts';
import {
  hibernationDecides,
  hibernationPatch,
  isClaimLeft,
  nextHibernation,
  wakingVmi,
} from './hibernation.ts';
import { vmConditions } from './conditions.ts';
import { hibernationEvents } from './hibernation-events.ts';

const SLEEPER = 'vmi-uid';
const base = { claimName: 'hibernation-vm', vmiUID: SLEEPER } as const;
const saving: VMHibernation = { ...base, phase: 'Saving' };
const asleep: VMHibernation = { ...base, phase: 'Hibernated', isHeld: true, isWhole: true };
const ASK = { stateChangeRequests: [{ action: 'Hibernate', uid: SLEEPER }] };
const START = { stateChangeRequests: [{ action: 'Start' }] };
const DISCARD = { stateChangeRequests: [{ action: 'Start', data: { discardState: 'true' } }] };

const volume = { name: HIBERNATION_VOLUME, claimName: 'hibernation-vm', type: HIBERNATION_VOLUME_TYPE };
const withVolume = (status: VMIStatus): VirtualMachineInstance => {
  const vmi = vmiWith(status);
  return { ...vmi, spec: { ...vmi.spec, utilityVolumes: [volume] } };
};
const other = (status: VMIStatus): VirtualMachineInstance => {
  const vmi = vmiWith(status);
  return { ...vmi, metadata: { ...vmi.metadata, uid: 'next-uid' } };
};
const next = (status: VMStatus, vmi?: VirtualMachineInstance, strategy = 'Always') =>
  nextHibernation({
    vm: { ...vmWith(), spec: { ...vmWith().spec, runStrategy: strategy }, status },
    vmi,
    claim: undefined,
    nowMs: NOW_MS,
  });

describe('how a hibernation goes on', () => {
  const table: readonly [
    string,
    VMStatus,
    VirtualMachineInstance | undefined,
    Partial<VMHibernation> | undefined,
  ][] = [
    ['nothing is asked', {}, vmiWith({ phase: 'Running' }), undefined],
    ['a request is noted', ASK, vmiWith({ phase: 'Running' }), { phase: 'Saving', vmiUID: SLEEPER }],
    ['a request for a VMI that has ended is not', ASK, vmiWith({ phase: 'Failed' }), undefined],
    ['it is being saved', { hibernation: saving }, withVolume({ phase: 'Running' }), saving],
    [
      'the guest could not be saved and goes on',
      { hibernation: saving },
      withVolume({ phase: 'Running', hibernation: { phase: 'Failed', message: 'full' } }),
      { phase: 'Failed', message: 'full' },
    ],
    [
      'it is saved',
      { hibernation: saving },
      withVolume({ phase: 'Succeeded', hibernation: { phase: 'Saved', sizeBytes: 7 } }),
      { phase: 'Hibernated', isHeld: true, isWhole: true, sizeBytes: 7 },
    ],
    [
      'its launcher died while it saved: the next start looks',
      { hibernation: saving },
      withVolume({ phase: 'Failed', hibernation: { phase: 'Saving' } }),
      { phase: 'Hibernated', isHeld: true, isWhole: false },
    ],
    [
      'virt-handler never told of it',
      { hibernation: saving },
      withVolume({ phase: 'Failed' }),
      { phase: 'Hibernated', isWhole: false },
    ],
    ['the VMI is gone', { hibernation: saving }, undefined, { phase: 'Hibernated', isWhole: false }],
    [
      'it ended before anything began',
      { hibernation: saving },
      vmiWith({ phase: 'Succeeded' }),
      { phase: 'Failed' },
    ],
    ['it sleeps', { hibernation: asleep }, undefined, asleep],
    [
      'it is started',
      { hibernation: asleep, ...START },
      undefined,
      { phase: 'Hibernated', isHeld: undefined },
    ],
    ['its state is given up', { hibernation: asleep, ...DISCARD }, undefined, undefined],
    [
      'it is waking',
      { hibernation: asleep },
      other({ phase: 'Scheduled' }),
      { phase: 'Hibernated', isHeld: undefined },
    ],
    ['it runs', { hibernation: asleep }, other({ phase: 'Running' }), undefined],
    [
      'it ran and failed',
      { hibernation: asleep },
      other({ phase: 'Failed', phaseTransitionTimestamps: [{ phase: 'Running' }] }),
      undefined,
    ],
    [
      'it failed before it ran: the state is still good',
      { hibernation: asleep },
      other({ phase: 'Failed' }),
      { phase: 'Hibernated', isHeld: undefined },
    ],
    [
      'its state is refused',
      { hibernation: { ...base, phase: 'Hibernated', isWhole: true } },
      other({
        phase: 'Scheduled',
        hibernation: { phase: 'Refused', reason: 'StateDamaged', message: 'cut' },
      }),
      { phase: 'Hibernated', isHeld: true, reason: 'StateDamaged', message: 'cut' },
    ],
  ];
  for (const [what, status, vmi, expected] of table)
    test(what, () => {
      const got = next(status, vmi);
      if (expected === undefined) return assert.equal(got, undefined);
      for (const [field, value] of Object.entries(expected))
        assert.deepEqual(got?.[field as keyof VMHibernation], value, field);
    });

  test('who halts it has taken it in hand', () =>
    assert.equal(next({ hibernation: asleep }, undefined, 'Halted')?.isHeld, undefined));

  test('a drain has those hibernate that say so and cannot migrate', () => {
    const strategy = (name: string, live: string): VirtualMachineInstance => {
      const conditions = [{ type: 'LiveMigratable', status: live }];
      const vmi = vmiWith({ phase: 'Running', nodeName: 'n', evacuationNodeName: 'n', conditions });
      return { ...vmi, spec: { ...vmi.spec, evictionStrategy: name } };
    };
    assert.equal(next({}, strategy('HibernateIfNotMigratable', 'False'))?.phase, 'Saving');
    assert.equal(next({}, strategy('HibernateIfNotMigratable', 'True')), undefined);
    assert.equal(next({}, strategy('LiveMigrate', 'False')), undefined);
  });

  test('a claim of somebody else is left alone', () => {
    const claim: PersistentVolumeClaim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'hibernation-vm', namespace: 'default' },
      spec: {},
    };
    const vm = { ...vmWith(), status: { hibernation: saving } };
    const got = nextHibernation({ vm, vmi: withVolume({ phase: 'Running' }), claim, nowMs: NOW_MS });
    assert.equal(got?.phase, 'Failed');
    assert.equal(isClaimLeft(undefined, { vm, vmi: undefined, claim }), false);
    const ours = {
      ...claim,
      metadata: {
        ...claim.metadata,
        ownerReferences: [controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine')],
      },
    };
    assert.equal(isClaimLeft(undefined, { vm, vmi: undefined, claim: ours }), true);
    assert.equal(isClaimLeft(asleep, { vm, vmi: undefined, claim: ours }), false);
    assert.equal(isClaimLeft(undefined, { vm, vmi: withVolume({ phase: 'Running' }), claim: ours }), false);
  });
});

test('what hibernation says about the VMI', () => {
  assert.equal(hibernationDecides(undefined, undefined), undefined);
  assert.equal(hibernationDecides(asleep, undefined), 'nothing');
  assert.equal(hibernationDecides({ ...asleep, isHeld: false }, undefined), undefined);
  assert.equal(hibernationDecides(asleep, withVolume({ phase: 'Succeeded' })), 'stop');
  assert.equal(hibernationDecides(asleep, other({ phase: 'Scheduled' })), undefined);
  assert.equal(hibernationDecides(asleep, other({ hibernation: { phase: 'Refused' } })), 'stop');
  assert.equal(hibernationDecides(saving, withVolume({ phase: 'Running' })), undefined);
});

test('the claim comes for the save and goes when it failed', () => {
  assert.equal(hibernationPatch(saving, vmiWith({ phase: 'Running' })).at(-1)?.op, 'add');
  assert.deepEqual(hibernationPatch(saving, withVolume({ phase: 'Running' })), []);
  assert.equal(hibernationPatch({ ...saving, phase: 'Failed' }, withVolume({})).at(-1)?.op, 'remove');
  assert.deepEqual(hibernationPatch(undefined, vmiWith({})), []);
});

test('a VMI that wakes knows its state and keeps its MAC addresses; another one is as it was', () => {
  const vmi = vmiWith({});
  const plain = {
    ...vmi,
    spec: {
      ...vmi.spec,
      domain: { ...vmi.spec.domain, devices: { interfaces: [{ name: 'default', masquerade: {} }] } },
    },
  };
  assert.equal(wakingVmi(plain, undefined), plain);
  const woken = wakingVmi(plain, {
    ...asleep,
    interfaces: [{ name: 'default', mac: '02:00:00:00:00:01' }],
  });
  assert.equal(woken.metadata?.annotations?.[annotations.hibernatedState], `hibernation-vm ${SLEEPER} whole`);
  assert.equal(woken.spec.domain.devices.interfaces?.[0]?.macAddress, '02:00:00:00:00:01');
  const copy = wakingVmi(plain, {
    ...asleep,
    isOfSnapshot: true,
    newIdentity: true,
    interfaces: [{ name: 'default', mac: '02:00:00:00:00:01' }],
  });
  assert.equal(copy.spec.domain.devices.interfaces?.[0]?.macAddress, undefined);
});

test('each step is told once', () => {
  const reasons = (before?: VMHibernation, after?: VMHibernation, vmi?: VirtualMachineInstance) =>
    hibernationEvents(before, after, vmi).map(([, reason]) => reason);
  const refused = { ...asleep, reason: 'StateDamaged', message: 'cut' };
  assert.deepEqual(reasons(undefined, saving), ['HibernationStarted']);
  assert.deepEqual(reasons(saving, saving), []);
  assert.deepEqual(reasons(saving, asleep), ['Hibernated']);
  assert.deepEqual(reasons(saving, { ...saving, phase: 'Failed' }), ['HibernationFailed']);
  assert.deepEqual(reasons(asleep, refused), ['HibernatedStateRefused']);
  assert.deepEqual(reasons(refused, refused), []);
  assert.deepEqual(reasons(asleep, undefined), ['HibernatedStateDiscarded']);
  assert.deepEqual(reasons(asleep, undefined, other({ hibernation: { phase: 'Woken' } })), ['Woken']);
  assert.deepEqual(reasons(asleep, undefined, other({ hibernation: { phase: 'Booted' } })), [
    'HibernatedStateMissing',
  ]);
});

test('a failed hibernation is a condition that says why, until nobody need know it any more', () => {
  const conditions = (hibernation: VMHibernation | undefined) =>
    vmConditions({
      ...{ vm: vmWith(), vmi: undefined, problem: undefined, restartRequired: false, nowMs: 0 },
      hibernation,
    }).filter(({ type }) => type === 'HibernationFailed');
  const failed: VMHibernation = { ...saving, phase: 'Failed', message: 'the storage took nothing' };
  assert.deepEqual(
    conditions(failed).map(({ status, message }) => [status, message]),
    [['True', 'the storage took nothing']],
  );
  assert.deepEqual(conditions(saving), []);
  assert.deepEqual(conditions(undefined), []);
});
