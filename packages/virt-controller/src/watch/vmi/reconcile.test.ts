import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerReference, Pod, VirtualMachineInstance } from '@podvisor/api';
import { deleting, NOW_MS, podWith, readyPod, vmiWith } from '../../testing/objects.ts';
import { NETWORK_INFO, NETWORK_STATUS, secondaryInterfaceName } from '@podvisor/translate';
import { launcherPodName } from './pod-name.ts';
import type { VmiObservation } from './plan.ts';
import { reconcileVmi } from './reconcile.ts';
import type { VolumeView } from './volumes.ts';

const noVolumes: VolumeView = { claim: () => undefined, dataVolumePhase: () => undefined };

function observed(vmi: VirtualMachineInstance, more: Partial<VmiObservation> = {}): VmiObservation {
  return {
    vmi,
    pods: [],
    attachmentPods: [],
    podsProven: false,
    cacheCaughtUp: true,
    volumes: noVolumes,
    containerPathsAllowed: true,
    ownerVmExists: true,
    handlerSilent: false,
    overForMs: 60_000,
    nowMs: NOW_MS,
    ...more,
  };
}

const plan = (vmi: VirtualMachineInstance, more: Partial<VmiObservation> = {}) =>
  reconcileVmi(observed(vmi, more));
const kinds = (vmi: VirtualMachineInstance, more: Partial<VmiObservation> = {}) =>
  plan(vmi, more).actions.map(({ kind }) => kind);

/** The VMI of the plan's only update. */
function updated(vmi: VirtualMachineInstance, more: Partial<VmiObservation>): VirtualMachineInstance {
  const update = plan(vmi, more).actions.find((action) => action.kind === 'update');
  assert.ok(update, 'no update is planned');
  return update.vmi;
}

const pending = vmiWith({ phase: 'Pending' });
const scheduling = vmiWith({ phase: 'Scheduling' });
const running = vmiWith({ phase: 'Running', nodeName: 'node-1', activePods: { 'pod-uid': 'node-1' } });
const withClaim = vmiWith(
  { phase: 'Pending' },
  { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'disk' } }] } },
);

test('a pending VMI without a Pod gets one, unless the cache is behind', () => {
  assert.deepEqual(kinds(pending), ['createPod']);
  assert.deepEqual(kinds(pending, { cacheCaughtUp: false }), []);
});

test('a missing claim is told once and waited for', () => {
  const next = updated(withClaim, {});
  assert.deepEqual(kinds(withClaim), ['update', 'event']);
  assert.deepEqual(
    next.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
    [
      ['Synchronized', 'False', 'FailedPvcNotFound'],
      ['Ready', 'False', 'PodNotExists'],
      ['PodScheduled', 'False', 'Unschedulable'],
    ],
  );
  assert.deepEqual(kinds(next), []);
  const volumes = { ...noVolumes, claim: () => ({ metadata: { name: 'disk' }, spec: {} }) };
  assert.deepEqual(kinds(next, { volumes }), ['createPod']);
});

test('a claim that waits for its first consumer gets a Pod that goes before the launcher', () => {
  const waiting = { ...noVolumes, dataVolumePhase: () => 'WaitForFirstConsumer' };
  assert.deepEqual(kinds(withClaim, { volumes: waiting }), ['update', 'createProvisioningPod']);
  const first: Pod = {
    metadata: { name: 'p', uid: 'p', annotations: { 'kubevirt.io/ephemeral-provisioning': 'true' } },
    spec: { containers: [] },
  };
  const told = updated(withClaim, { volumes: waiting, pods: [first] });
  assert.deepEqual(kinds(told, { volumes: waiting, pods: [first] }), []);
  const filled = {
    ...noVolumes,
    dataVolumePhase: () => 'Succeeded',
    claim: () => ({ metadata: { name: 'disk' }, spec: {} }),
  };
  assert.deepEqual(kinds(told, { volumes: filled, pods: [first] }), ['deletePod']);
  assert.deepEqual(kinds(told, { volumes: filled }), ['createPod']);
});

test('a DataVolume that is filled keeps the VMI waiting, one that failed ends it', () => {
  const filling = updated(withClaim, {
    volumes: { ...noVolumes, dataVolumePhase: () => 'ImportInProgress' },
  });
  assert.equal(filling.status?.conditions?.[0]?.type, 'Provisioning');
  const failed = updated(withClaim, { volumes: { ...noVolumes, dataVolumePhase: () => 'Failed' } });
  assert.equal(failed.status?.phase, 'Failed');
});

test('a young Pod costs no write; an old one, or one in trouble, does', () => {
  const young = podWith({ phase: 'Pending' }, { creationTimestamp: '2026-01-01T00:00:59Z' });
  const old = podWith({ phase: 'Pending' });
  assert.deepEqual(plan(pending, { pods: [young] }), { actions: [], requeueAfterMs: 1000 });
  const next = updated(pending, { pods: [old] });
  assert.equal(next.status?.phase, 'Scheduling');
  assert.deepEqual(next.status?.phaseTransitionTimestamps?.at(-1), {
    phase: 'Scheduling',
    phaseTransitionTimestamp: '2026-01-01T00:00:00Z',
  });
  const unschedulable: Pod = podWith(
    { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
    { creationTimestamp: '2026-01-01T00:00:59Z' },
  );
  assert.equal(updated(pending, { pods: [unschedulable] }).status?.conditions?.[0]?.type, 'PodScheduled');
});

test('an image that does not come is told in Synchronized', () => {
  const waiting = (reason: string): Pod =>
    podWith({
      phase: 'Pending',
      containerStatuses: [
        {
          name: 'compute',
          ready: false,
          restartCount: 0,
          image: '',
          imageID: '',
          state: { waiting: { reason, message: 'no' } },
        },
      ],
    });
  const next = updated(scheduling, { pods: [waiting('ErrImagePull')] });
  assert.equal(next.status?.conditions?.find(({ type }) => type === 'Synchronized')?.reason, 'ErrImagePull');
  assert.deepEqual(kinds(next, { pods: [waiting('ErrImagePull')] }), []);
  const backOff = updated(next, { pods: [waiting('ImagePullBackOff')] });
  assert.equal(
    backOff.status?.conditions?.find(({ type }) => type === 'Synchronized')?.reason,
    'ImagePullBackOff',
  );
  const handedOver = updated(backOff, { pods: [readyPod] });
  assert.equal(
    handedOver.status?.conditions?.find(({ type }) => type === 'Synchronized'),
    undefined,
  );
});

test('hand-over opens the gate, then writes label and status at once', () => {
  const annotated = {
    ...readyPod,
    metadata: { ...readyPod.metadata, annotations: { 'kubevirt.io/memory-overhead-bytes': '1048576' } },
  };
  assert.deepEqual(kinds(scheduling, { pods: [annotated] }), ['gatePod', 'update']);
  const { metadata, status } = updated(scheduling, { pods: [annotated] });
  assert.equal(metadata?.labels?.['kubevirt.io/nodeName'], 'node-1');
  assert.equal(status?.phase, 'Scheduled');
  assert.equal(status?.nodeName, 'node-1');
  assert.equal(status?.migrationTransport, 'Unix');
  assert.equal(status?.launcherContainerImageVersion, 'launcher:1');
  assert.equal(status?.qosClass, 'Burstable');
  assert.equal(status?.memory?.memoryOverhead, '1Mi');
});

test('a VMI goes although a finalizer of somebody else keeps its Pod, once the Pod has ended', () => {
  const gone = vmiWith({ phase: 'Succeeded', nodeName: 'node-1' }, { metadata: deleting });
  const kept = (
    phase: 'Succeeded' | 'Pending' | 'Running',
    finalizers: readonly string[],
    nodeName?: string,
  ): Pod => ({
    ...podWith({ phase }, { ...deleting, finalizers }),
    spec: { nodeName, containers: [] },
  });
  const releases = (pod: Pod): boolean =>
    plan(gone, { pods: [pod] }).actions.some(
      (action) => action.kind === 'patch' && JSON.stringify(action.patch).includes('finalizers'),
    );
  assert.ok(releases(kept('Succeeded', ['evil.io/x'], 'node-1')));
  assert.ok(releases(kept('Pending', ['evil.io/x'])), 'it never was on a node');
  assert.equal(releases(kept('Running', ['evil.io/x'], 'node-1')), false, 'it may still run the guest');
  assert.equal(releases(kept('Succeeded', [], 'node-1')), false, 'it is about to go by itself');
});

test('hand-over begins with a status of ours: what nobody of us wrote before is not in it', () => {
  const uid = '6b1f0b0e-1111-4222-8333-444455556666';
  const forged = vmiWith(
    {
      phase: 'Scheduling',
      virtualMachineRevisionName: 'revision',
      activePods: { [uid]: 'node-1' },
      migratedVolumes: [{ volumeName: 'v' }],
      migrationState: { migrationUid: '../../x', targetNodeAddress: '127.0.0.1' },
      interfaces: [{ name: 'default', ipAddress: '127.0.0.1' }],
      volumeStatus: [{ name: 'v', target: 'vda', hotplugVolume: { attachPodUID: uid } }],
    },
    { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'd', hotpluggable: true } }] } },
  );
  const { status } = updated(forged, { pods: [readyPod] });
  assert.equal(status?.virtualMachineRevisionName, 'revision');
  assert.deepEqual(status.activePods, { 'pod-uid': 'node-1' });
  assert.deepEqual(status.volumeStatus, [{ name: 'v', target: '', hotplugVolume: {} }]);
  for (const field of ['migratedVolumes', 'migrationState', 'interfaces'] as const)
    assert.equal(status[field], undefined, field);
});

test('compute needs only run; every other container must be ready', () => {
  const withSidecar = (ready: boolean): Pod => ({
    ...readyPod,
    status: {
      ...readyPod.status,
      containerStatuses: [
        ...(readyPod.status?.containerStatuses ?? []),
        { name: 'virtiofs', ready, restartCount: 0, image: '', imageID: '', state: { running: {} } },
      ],
    },
  });
  assert.equal(updated(scheduling, { pods: [withSidecar(true)] }).status?.phase, 'Scheduled');
  assert.equal(updated(pending, { pods: [withSidecar(false)] }).status?.phase, 'Scheduling');
});

test('dedicated CPUs are not handed over without their guarantee', () => {
  const vmi = vmiWith(
    { phase: 'Scheduling' },
    { spec: { domain: { devices: {}, cpu: { dedicatedCpuPlacement: true } } } },
  );
  assert.deepEqual(kinds(vmi, { pods: [readyPod] }), ['event']);
});

test('a Pod that failed or is being deleted before hand-over fails the VMI', () => {
  for (const pod of [podWith({ phase: 'Failed' }), podWith({ phase: 'Pending' }, deleting)]) {
    assert.equal(updated(scheduling, { pods: [pod] }).status?.phase, 'Failed');
  }
});

test('a Pod that the cache does not show is not gone: proof is asked for first', () => {
  for (const vmi of [scheduling, running]) {
    assert.deepEqual(plan(vmi), { actions: [], needsProof: true });
  }
  assert.equal(updated(scheduling, { podsProven: true }).status?.phase, 'Failed');
  const [patch] = plan(running, { podsProven: true }).actions;
  assert.ok(patch?.kind === 'patch');
  assert.deepEqual(patch.patch[0], { op: 'test', path: '/status/phase', value: 'Running' });
  assert.deepEqual(patch.patch[1], { op: 'add', path: '/status/phase', value: 'Failed' });
});

test('after hand-over only guarded patches are sent', () => {
  const ready: Pod = podWith({
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'kubevirt.io/virtual-machine-unpaused', status: 'True' },
    ],
  });
  const vmi = vmiWith({
    ...running.status,
    conditions: [{ type: 'Ready', status: 'False', reason: 'GuestNotRunning' }],
  });
  const { actions } = plan(vmi, { pods: [ready] });
  assert.deepEqual(actions, [
    {
      kind: 'patch',
      patch: [
        { op: 'test', path: '/status/phase', value: 'Running' },
        { op: 'test', path: '/status/conditions', value: vmi.status?.conditions },
        {
          op: 'add',
          path: '/status/conditions',
          value: [
            {
              type: 'Ready',
              status: 'True',
              reason: undefined,
              message: undefined,
              lastTransitionTime: '2026-01-01T00:01:00Z',
            },
          ],
        },
      ],
    },
  ]);
});

test('the gate closes while the guest is paused', () => {
  const pod: Pod = podWith({
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'kubevirt.io/virtual-machine-unpaused', status: 'True' },
    ],
  });
  const paused = vmiWith({
    ...running.status,
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Paused', status: 'True' },
    ],
  });
  assert.deepEqual(plan(paused, { pods: [pod] }).actions, [{ kind: 'gatePod', pod, unpaused: false }]);
});

test('the descheduler sees that an eviction was accepted, until the mark of the VMI is gone', () => {
  const KEY = 'descheduler.alpha.kubernetes.io/eviction-in-progress';
  const marks = (evacuationNodeName: string | undefined, annotations: Record<string, string>) => {
    const pod = podWith(readyPod.status, { annotations });
    const vmi = vmiWith({ ...running.status, ...(evacuationNodeName && { evacuationNodeName }) });
    return plan(vmi, { pods: [pod] }).actions.flatMap((a) => (a.kind === 'markEviction' ? [a.leaves] : []));
  };
  assert.deepEqual(marks('node-1', {}), [true]);
  assert.deepEqual(marks('node-1', { [KEY]: 'true' }), []);
  assert.deepEqual(marks(undefined, { [KEY]: 'true' }), [false]);
  assert.deepEqual(marks(undefined, {}), []);
});

test('an ended Pod is left to virt-handler while that is alive', () => {
  const ended = podWith({ phase: 'Failed' });
  assert.ok(!kinds(running, { pods: [ended] }).includes('event'));
  const { actions } = plan(running, { pods: [ended], handlerSilent: true });
  assert.deepEqual(
    actions.map(({ kind }) => kind),
    ['patch', 'event'],
  );
  const [patch] = actions;
  assert.ok(
    patch?.kind === 'patch' &&
      patch.patch.some(
        (op) => op.path === '/status/reason' && 'value' in op && op.value === 'NodeUnresponsive',
      ),
  );
});

test('a live Pod on a silent node is left alone', () => {
  const alive: Pod = podWith({
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'kubevirt.io/virtual-machine-unpaused', status: 'True' },
    ],
  });
  const vmi = vmiWith({ ...running.status, conditions: [{ type: 'Ready', status: 'True' }] });
  assert.deepEqual(plan(vmi, { pods: [alive], handlerSilent: true }).actions, []);
});

test('deleting a VMI deletes its Pods in every phase', () => {
  for (const phase of ['Scheduling', 'Running', 'Succeeded']) {
    const vmi = vmiWith({ phase, nodeName: 'node-1' }, { metadata: deleting });
    assert.ok(kinds(vmi, { pods: [readyPod] }).includes('deletePod'), phase);
    assert.ok(!kinds(vmi, { pods: [podWith({}, deleting)] }).includes('deletePod'), phase);
  }
});

test('deleted before it had a Pod: ends and goes in one write, after proof', () => {
  const vmi = vmiWith({ phase: 'Pending' }, { metadata: deleting });
  assert.deepEqual(plan(vmi), { actions: [], needsProof: true });
  const next = updated(vmi, { podsProven: true });
  assert.equal(next.status?.phase, 'Failed');
  assert.deepEqual(next.metadata?.finalizers, ['kubevirt.io/virtualMachineControllerFinalize']);
});

test('deleted before a node had it: when its Pod is gone it ends and goes in one write, after proof', () => {
  const vmi = vmiWith({ phase: 'Scheduling' }, { metadata: deleting });
  assert.deepEqual(plan(vmi), { actions: [], needsProof: true });
  const next = updated(vmi, { podsProven: true });
  assert.equal(next.status?.phase, 'Failed');
  assert.deepEqual(next.metadata?.finalizers, ['kubevirt.io/virtualMachineControllerFinalize']);
  const { finalizers } = updated(vmi, { podsProven: true, ownerVmExists: false }).metadata ?? {};
  assert.deepEqual(finalizers, [], 'nobody owns it: nothing holds it');
  const terminating = updated(vmi, { pods: [podWith({}, deleting)] });
  assert.deepEqual(terminating.metadata?.finalizers, vmi.metadata?.finalizers, 'its Pod is still there');
});

test('Ready that virt-handler told together with Running is left as it is', () => {
  const pod = podWith({ ...readyPod.status, conditions: [{ type: 'Ready', status: 'True' }] });
  const conditions = [
    { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
    { type: 'LiveMigratable', status: 'True' },
  ];
  const told = { ...running, status: { ...running.status, conditions } };
  const patches = plan(told, { pods: [pod] }).actions.filter(({ kind }) => kind === 'patch');
  assert.deepEqual(patches, []);
  const unready = podWith({ ...readyPod.status, conditions: [{ type: 'Ready', status: 'False' }] });
  assert.ok(kinds(told, { pods: [unready] }).includes('patch'), 'and corrected when the Pod is not');
});

test('a final VMI is let go when its Pods are gone, and the VM controller keeps its say', () => {
  const vmi = vmiWith({ phase: 'Succeeded' }, { metadata: deleting });
  const release = (more: Partial<VmiObservation>) => {
    const [patch] = plan(vmi, more).actions;
    return patch?.kind === 'patch' ? patch.patch.at(-1) : undefined;
  };
  assert.equal(release({ pods: [podWith({}, deleting)] }), undefined);
  const path = '/metadata/finalizers';
  assert.deepEqual(release({}), {
    op: 'add',
    path,
    value: ['kubevirt.io/virtualMachineControllerFinalize'],
  });
  assert.deepEqual(release({ ownerVmExists: false }), { op: 'add', path, value: [] });
});

test('the last phase of a VMI that nobody owns can be seen for two and a half seconds, and holds no owner up', () => {
  const ended = (ownerReferences: readonly OwnerReference[] = []): VirtualMachineInstance =>
    vmiWith(
      {
        phase: 'Succeeded',
        // Told in whole seconds by another machine's clock: it says nothing about how long the phase could be seen.
        phaseTransitionTimestamps: [{ phase: 'Succeeded', phaseTransitionTimestamp: '2026-01-01T00:00:00Z' }],
      },
      { metadata: { ...deleting, ownerReferences } },
    );
  assert.deepEqual(plan(ended(), { overForMs: 0 }), { actions: [], requeueAfterMs: 2500 });
  assert.deepEqual(plan(ended(), { overForMs: 2499.5 }), { actions: [], requeueAfterMs: 1 });
  assert.equal(plan(ended(), { overForMs: 2500 }).actions[0]?.kind, 'patch');
  const owner = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    name: 'vm',
    uid: 'u',
    controller: true,
  };
  assert.equal(plan(ended([owner]), { overForMs: 0 }).actions[0]?.kind, 'patch');
});

test('the Pod’s name follows from the UID and fits a label', () => {
  assert.equal(launcherPodName('a', 'u'), launcherPodName('a', 'u'));
  assert.notEqual(launcherPodName('a', 'u'), launcherPodName('a', 'v'));
  assert.match(launcherPodName('a', 'u'), /^virt-launcher-a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  assert.equal(launcherPodName('x'.repeat(80), 'u').length, 63);
});

test('the devices that Multus names are told to the Pod before the guest starts, once, and to every Pod', () => {
  const spec = {
    domain: { devices: { interfaces: [{ name: 'fast', sriov: {} }] } },
    networks: [{ name: 'fast', multus: { networkName: 'vf' } }],
  };
  const device = { type: 'pci', pci: { 'pci-address': '0000:3b:02.1' } };
  const status = JSON.stringify([{ interface: secondaryInterfaceName('fast'), 'device-info': device }]);
  const info = JSON.stringify({ interfaces: [{ network: 'fast', deviceInfo: device }] });
  const podSaying = (annotations: Readonly<Record<string, string>>): Pod => ({
    ...readyPod,
    metadata: { ...readyPod.metadata, annotations },
  });
  const vmi = vmiWith({ phase: 'Scheduling' }, { spec });
  const first = plan(vmi, { pods: [podSaying({ [NETWORK_STATUS]: status })] }).actions;
  assert.deepEqual(
    first.map(({ kind }) => kind),
    ['setNetworkInfo', 'gatePod', 'update'],
  );
  assert.equal(first[0]?.kind === 'setNetworkInfo' && first[0].info, info);
  const told = podSaying({ [NETWORK_STATUS]: status, [NETWORK_INFO]: info });
  assert.deepEqual(kinds(vmi, { pods: [told] }), ['gatePod', 'update']);
  const moving = vmiWith(running.status, { spec });
  const target = {
    ...podSaying({ [NETWORK_STATUS]: status }),
    spec: { ...readyPod.spec, nodeName: 'node-2' },
  };
  assert.ok(kinds(moving, { pods: [told, target] }).includes('setNetworkInfo'));
  assert.ok(!kinds(moving, { pods: [told] }).includes('setNetworkInfo'));
});

test('a Pod that has ended does not hold a claim of state that the guest has left', () => {
  const state = (phase: 'Running' | 'Succeeded', more: Partial<Pod['metadata']> = {}): Pod => {
    const left = podWith({ phase }, { name: 'left', uid: 'left', ...more });
    const volumes = [{ name: 'vm-state', persistentVolumeClaim: { claimName: 'state' } }];
    return { ...left, spec: { ...left.spec, nodeName: 'node-0', volumes } };
  };
  const claimed = (metadata: object): VolumeView => ({
    ...noVolumes,
    claim: (name) => (name === 'state' ? { metadata: { name, ...metadata }, spec: {} } : undefined),
  });
  const deletes = (left: Pod, metadata: object): boolean =>
    kinds(running, { pods: [readyPod, left], volumes: claimed(metadata) }).includes('deletePod');
  assert.ok(deletes(state('Succeeded'), deleting));
  assert.ok(!deletes(state('Running'), deleting), 'the guest may be there still');
  assert.ok(!deletes(state('Succeeded'), {}), 'nobody waits for the claim');
  assert.ok(!deletes(state('Succeeded', deleting), deleting), 'on its way already');
});
