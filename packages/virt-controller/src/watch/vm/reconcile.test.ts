import { type DataVolumePhase, type VirtualMachine } from '@podvisor/api';
import { guardedChange } from '@podvisor/kube';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleting, NOW_MS, vmiWith, vmWith } from '../../testing/objects.ts';
import { buildVmi } from './build-vmi.ts';
import type { StorageView } from './volumes/data-volumes.ts';
import { legacyFirmwareUuid } from './firmware-uuid.ts';
import { reconcileVm } from './reconcile.ts';
import type { VmObservation } from './plan.ts';
import { remainingRequests } from './run/requests.ts';
import { vmStatus } from './status.ts';

const storage: StorageView = {
  dataVolumesServed: false,
  dataVolume: () => undefined,
  claim: () => undefined,
  snapshotClass: () => undefined,
};
const withFinalizer = { ...vmWith().metadata, finalizers: ['kubevirt.io/virtualMachineControllerFinalize'] };

function observed(more: Partial<VmObservation> = {}): VmObservation {
  return {
    vm: { ...vmWith(), metadata: withFinalizer },
    vmi: undefined,
    nameTaken: false,
    hibernationClaim: undefined,
    storage,
    migrations: [],
    hasOtherNode: true,
    placeToGrow: { kind: 'other node' },
    expanded: { kind: 'template', template: vmWith().spec.template, refs: {} },
    startedFrom: undefined,
    cacheCaughtUp: true,
    liveUpdate: true,
    tracking: { allowed: false, selected: false },
    nowMs: NOW_MS,
    random: () => 0,
    ...more,
  };
}

const kinds = (more: Partial<VmObservation>) =>
  reconcileVm(observed(more)).actions.map((action) => action.kind);

test('a new VM gets its finalizer and is started in one pass', () => {
  assert.deepEqual(kinds({ vm: vmWith() }), ['addFinalizer', 'start']);
});

test('nothing is done while the cache does not show the last act', () => {
  assert.deepEqual(kinds({ cacheCaughtUp: false }), []);
});

test('a VM that is deleted stops its VMI first and goes last', () => {
  const vm = { ...vmWith(), metadata: { ...withFinalizer, ...deleting } };
  assert.deepEqual(kinds({ vm, vmi: vmiWith({ phase: 'Running' }) }), ['stop']);
  assert.deepEqual(kinds({ vm, vmi: vmiWith({ phase: 'Running' }, { metadata: deleting }) }), []);
  assert.deepEqual(kinds({ vm }), ['removeFinalizer']);
  const orphaning = {
    ...vm,
    metadata: { ...vm.metadata, finalizers: [...withFinalizer.finalizers, 'orphan'] },
  };
  assert.deepEqual(kinds({ vm: orphaning, vmi: vmiWith({ phase: 'Running' }) }), ['removeFinalizer']);
});

test('what cannot be started says why', () => {
  const withTemplates = vmWith({ dataVolumeTemplates: [{ metadata: { name: 'dv' }, spec: {} }] });
  const table: readonly [Partial<VmObservation>, string, RegExp][] = [
    [{ nameTaken: true }, 'FailedCreate', /does not belong/],
    [
      {
        expanded: { kind: 'problem', problem: { reason: 'FailedFindInstancetype', message: 'u1 not found' } },
      },
      'FailedFindInstancetype',
      /not found/,
    ],
    [{ vm: withTemplates }, 'FailedDataVolumeCreate', /install CDI/],
  ];
  for (const [more, reason, message] of table) {
    const plan = reconcileVm(observed(more));
    assert.equal(plan.problem?.reason, reason);
    assert.match(plan.problem?.message ?? '', message);
    assert.ok(!plan.actions.some(({ kind }) => kind === 'start'));
    const status = vmStatus(observed(more), plan, { started: false, stopped: false });
    assert.equal(status.conditions?.find(({ type }) => type === 'Failure')?.reason, reason);
    assert.equal(status.runStrategy, undefined);
  }
});

test('DataVolumes are created first; the VM starts when they are filled', () => {
  const vm = {
    ...vmWith({ dataVolumeTemplates: [{ metadata: { name: 'dv' }, spec: {} }] }),
    metadata: withFinalizer,
  };
  const served = { ...storage, dataVolumesServed: true };
  assert.deepEqual(kinds({ vm, storage: served }), ['createDataVolume']);
  const phase = (text: DataVolumePhase) => ({
    ...served,
    dataVolume: () => ({ metadata: {}, spec: {}, status: { phase: text } }),
  });
  assert.deepEqual(kinds({ vm, storage: phase('ImportInProgress') }), []);
  assert.deepEqual(kinds({ vm, storage: phase('Succeeded') }), ['start']);
  assert.deepEqual(kinds({ vm, storage: { ...storage, claim: () => ({ metadata: {}, spec: {} }) } }), [
    'start',
  ]);
});

test('only what cannot follow live asks for a restart', () => {
  const vmi = vmiWith({ phase: 'Running' });
  const started = vmWith().spec;
  const changed = (template: object) => ({
    ...vmWith({ template: { spec: { domain: { devices: {} }, ...template } } }),
    metadata: withFinalizer,
  });
  const plan = (vm: VmObservation['vm'], liveUpdate = true) =>
    reconcileVm(observed({ vm, vmi, startedFrom: started, liveUpdate }));
  assert.equal(plan(changed({})).restartRequired, false);
  assert.equal(plan(changed({ hostname: 'new' })).restartRequired, true);
  const moved = plan(changed({ nodeSelector: { disk: 'ssd' } }));
  assert.equal(moved.restartRequired, false);
  assert.deepEqual(moved.actions, [
    { kind: 'patchVmi', patch: guardedChange('/spec/nodeSelector', undefined, { disk: 'ssd' }) },
  ]);
  assert.equal(plan(changed({ nodeSelector: { disk: 'ssd' } }), false).restartRequired, true);
});

test('observedGeneration follows a change that leaves the template alone', () => {
  const status = (
    startedFrom: VmObservation['startedFrom'],
    vmi = vmiWith({ phase: 'Running' }, { metadata: { annotations: { 'kubevirt.io/vm-generation': '1' } } }),
  ) => {
    const seen = observed({ vmi, startedFrom });
    return vmStatus(seen, reconcileVm(seen), { started: false, stopped: false });
  };
  assert.equal(status(vmWith({ runStrategy: 'Manual' }).spec).observedGeneration, 3);
  const other = vmWith({ template: { spec: { domain: { devices: {} }, hostname: 'old' } } }).spec;
  const restart = status(other);
  assert.equal(restart.observedGeneration, 1);
  assert.equal(restart.desiredGeneration, 3);
  assert.equal(restart.conditions?.find(({ type }) => type === 'RestartRequired')?.status, 'True');
});

test('the VM carries its own conditions and a copy of the VMI’s', () => {
  const old = vmWith(
    {},
    {
      conditions: [
        { type: 'Paused', status: 'True' },
        { type: 'Failure', status: 'True' },
      ],
    },
  );
  const vmi = vmiWith({
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'LiveMigratable', status: 'True' },
    ],
  });
  const seen = observed({ vm: { ...old, metadata: withFinalizer }, vmi, startedFrom: old.spec });
  const { conditions } = vmStatus(seen, reconcileVm(seen), { started: false, stopped: false });
  assert.deepEqual(
    conditions?.map(({ type, status }) => [type, status]),
    [
      ['LiveMigratable', 'True'],
      ['Ready', 'True'],
    ],
  );
});

test('requests leave the queue when the cache proves them done', () => {
  const [stop, start] = [{ action: 'Stop', uid: 'vmi-uid' }, { action: 'Start' }];
  const vm = (requests: readonly { action: string; uid?: string }[]) =>
    vmWith({}, { stateChangeRequests: requests });
  assert.deepEqual(remainingRequests(vm([stop, start]), vmiWith({ phase: 'Running' })), [stop, start]);
  assert.deepEqual(remainingRequests(vm([stop, start]), undefined), [start]);
  assert.deepEqual(remainingRequests(vm([stop, start]), vmiWith({}, { metadata: { uid: 'next' } })), [start]);
  assert.deepEqual(remainingRequests(vm([start]), undefined), [start]);
  assert.deepEqual(remainingRequests(vm([start]), vmiWith({ phase: 'Pending' })), []);
  assert.deepEqual(remainingRequests(vm([start]), vmiWith({ phase: 'Failed' })), [start]);
});

test('a failed VMI under RerunOnFailure leaves a Start request behind', () => {
  const vm = { ...vmWith({ runStrategy: 'RerunOnFailure' }), metadata: withFinalizer };
  const seen = observed({ vm, vmi: vmiWith({ phase: 'Failed' }) });
  const plan = reconcileVm(seen);
  assert.deepEqual(vmStatus(seen, plan, { started: false, stopped: true }).stateChangeRequests, [
    { action: 'Start' },
  ]);
});

test('the VMI is the template under the VM’s name, with a stable firmware UUID', () => {
  const vmi = buildVmi(
    vmWith(
      { template: { metadata: { labels: { app: 'x' } }, spec: { domain: { devices: {} } } } },
      { stateChangeRequests: [{ action: 'Start', data: { paused: 'true' } }] },
    ),
  );
  assert.equal(vmi.metadata?.name, 'vm');
  assert.deepEqual(vmi.metadata?.labels, { app: 'x' });
  assert.equal(vmi.metadata?.annotations?.['kubevirt.io/vm-generation'], '3');
  assert.equal(vmi.metadata?.ownerReferences?.[0]?.uid, 'vm-uid');
  assert.equal(vmi.spec.startStrategy, 'Paused');
  assert.equal(vmi.spec.domain.firmware?.uuid, legacyFirmwareUuid('vm'));
  assert.equal(vmi.status?.virtualMachineRevisionName, 'revision-start-vm-vm-uid-3');
  // Python: uuid.uuid5(UUID('6a1a24a1-4061-4607-8bf4-a3963d0c5895'), 'testvm')
  assert.equal(legacyFirmwareUuid('testvm'), '5a9fc181-957e-5c32-9e5a-2de5e9673531');
});

test('a hibernated VM is started when its status says that it may be, and not before', () => {
  const hibernation = { phase: 'Hibernated', claimName: 'h', vmiUID: 'v', isWhole: true } as const;
  const of = (status: VirtualMachine['status']): VmObservation =>
    observed({ vm: { ...vmWith(), metadata: withFinalizer, status } });
  const start = { stateChangeRequests: [{ action: 'Start' }] };
  const held = reconcileVm(of({ hibernation: { ...hibernation, isHeld: true } }));
  assert.deepEqual([held.actions, held.hibernation?.isHeld], [[], true]);
  const refused = { ...hibernation, isHeld: true, reason: 'StateDamaged', message: 'cut' };
  const released = reconcileVm(of({ hibernation: refused, ...start }));
  assert.deepEqual([released.actions, released.hibernation], [[], hibernation]);
  const [wakes] = reconcileVm(of({ hibernation, ...start })).actions;
  assert.equal(wakes?.kind, 'start');
  const discard = { stateChangeRequests: [{ action: 'Start', data: { discardState: 'true' } }] };
  const given = reconcileVm(of({ hibernation: refused, ...discard }));
  assert.deepEqual([given.actions, given.hibernation], [[], undefined]);
  const boots = reconcileVm(of({ ...discard }));
  assert.deepEqual(
    boots.actions.map(({ kind }) => kind),
    ['start'],
  );
});
