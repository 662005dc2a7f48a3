import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DataVolume, PersistentVolumeClaim, Pod, StorageClass } from '@podvisor/api';
import { IMPORT_JOB_VARIABLE } from '@podvisor/api';
import { annotations } from './names.ts';
import { type DataVolumeAction, type Observed, reconcileDataVolume } from './reconcile.ts';
import { propertiesOf } from './storage-profiles.ts';
import { workerPod } from './worker-pod.ts';

const local: StorageClass = {
  metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'podvisor.io/local',
};
const lazy: StorageClass = { ...local, volumeBindingMode: 'WaitForFirstConsumer' };
const importer = { image: 'registry/importer:v1', pullPolicy: 'IfNotPresent' } as const;
const http = { http: { url: 'http://server/image' } };

const volume = (
  spec: Partial<DataVolume['spec']> = {},
  more: Partial<DataVolume['metadata']> = {},
): DataVolume => ({
  metadata: { namespace: 'ns', name: 'dv', uid: 'dv-uid', ...more },
  spec: { source: http, storage: { resources: { requests: { storage: '1Gi' } } }, ...spec },
});
const claim = (
  phase: 'Pending' | 'Bound',
  notes: Readonly<Record<string, string>> = {},
): PersistentVolumeClaim => ({
  metadata: {
    namespace: 'ns',
    name: 'dv',
    uid: 'claim-uid',
    annotations: notes,
    ownerReferences: [
      {
        apiVersion: 'cdi.kubevirt.io/v1beta1',
        kind: 'DataVolume',
        name: 'dv',
        uid: 'dv-uid',
        controller: true,
      },
    ],
  },
  spec: {
    accessModes: ['ReadWriteMany'],
    storageClassName: 'local',
    resources: { requests: { storage: '1Gi' } },
  },
  status: { phase, capacity: { storage: '1Gi' } },
});
const fill = { kind: 'import', source: { kind: 'http', url: '' }, contentType: 'kubevirt' } as const;
const worker = (status: Pod['status']): Pod => ({ ...workerPod(claim('Bound'), fill, importer), status });
const state = (name: string, value: object): Pod['status'] => ({
  phase: 'Running',
  containerStatuses: [
    { name: 'importer', ready: false, restartCount: 2, image: '', imageID: '', state: { [name]: value } },
  ],
});

function observe(more: Partial<Observed>): Observed {
  const given = more.volume;
  return {
    volume: undefined,
    claim: undefined,
    pods: [],
    storageClass: local,
    source: given?.spec.source,
    view: {
      classes: [local],
      claim: () => undefined,
      snapshot: () => undefined,
      properties: () => propertiesOf(local, undefined),
      sourceLabels: {},
    },
    progress: undefined,
    worker: importer,
    nowMs: 0,
    ...more,
  };
}

const kinds = (actions: readonly DataVolumeAction[]): string[] =>
  actions.filter(({ kind }) => kind !== 'event').map(({ kind }) => kind);
const phaseOf = (actions: readonly DataVolumeAction[]): string | undefined =>
  actions.flatMap((action) => (action.kind === 'setStatus' ? [action.status.phase] : []))[0];
const runningOf = (actions: readonly DataVolumeAction[]): string | undefined =>
  actions
    .flatMap((action) => (action.kind === 'setStatus' ? (action.status.conditions ?? []) : []))
    .filter(({ type }) => type === 'Running')
    .map(({ reason, message }) => `${reason}: ${message}`)[0];

describe('an import', () => {
  const rows: readonly (readonly [string, Partial<Observed>, string[], string])[] = [
    ['begins with a claim', {}, ['createClaim', 'setStatus'], 'Pending'],
    ['waits for the volume', { claim: claim('Pending') }, ['setStatus'], 'ImportScheduled'],
    ['gets a Pod', { claim: claim('Bound') }, ['createPod', 'setStatus'], 'ImportScheduled'],
    [
      'is at work',
      { claim: claim('Bound'), pods: [worker(state('running', {}))], progress: 12.345 },
      ['annotateClaim', 'setStatus'],
      'ImportInProgress',
    ],
    [
      'is done, and its Pod goes',
      { claim: claim('Bound'), pods: [worker({ phase: 'Succeeded' })] },
      ['annotateClaim', 'deletePod', 'setStatus'],
      'Succeeded',
    ],
    [
      'was done before we knew',
      { claim: claim('Bound', { [annotations.podPhase]: 'Succeeded' }) },
      ['setStatus'],
      'Succeeded',
    ],
    [
      'lost its Pod',
      { claim: claim('Bound'), pods: [worker({ phase: 'Failed' })] },
      ['annotateClaim', 'deletePod', 'setStatus'],
      'ImportScheduled',
    ],
    [
      'waits for a consumer',
      { claim: claim('Pending'), storageClass: lazy },
      ['setStatus'],
      'WaitForFirstConsumer',
    ],
  ];
  for (const [name, more, wanted, phase] of rows)
    test(name, () => {
      const actions = reconcileDataVolume(observe({ volume: volume(), ...more }));
      assert.deepEqual(kinds(actions), wanted);
      assert.equal(phaseOf(actions), phase);
    });

  test('tells why its Pod fails', () => {
    const failed = worker(state('terminated', { exitCode: 1, message: 'got 404' }));
    const actions = reconcileDataVolume(observe({ volume: volume(), claim: claim('Bound'), pods: [failed] }));
    assert.equal(runningOf(actions), 'Error: got 404');
    const pull = worker(state('waiting', { reason: 'ErrImagePull', message: 'no such image' }));
    const other = reconcileDataVolume(observe({ volume: volume(), claim: claim('Bound'), pods: [pull] }));
    assert.equal(runningOf(other), 'ImagePullFailed: no such image');
  });

  test('tells why its Pod failed also when that runs again already', () => {
    const again = worker(state('running', {}));
    const [container] = again.status?.containerStatuses ?? [];
    assert.ok(container !== undefined);
    const lastState = { terminated: { exitCode: 1, message: 'A larger PVC is required.' } };
    const pods = [
      { ...again, status: { ...again.status, containerStatuses: [{ ...container, lastState }] } },
    ];
    const actions = reconcileDataVolume(observe({ volume: volume(), claim: claim('Bound'), pods }));
    assert.equal(runningOf(actions), 'Pod is running: A larger PVC is required.');
    const told = actions.find((action) => action.kind === 'event' && action.type === 'Warning');
    assert.ok(told?.kind === 'event' && told.message === 'A larger PVC is required.');
  });

  test('may be asked to bind at once', () => {
    const now = volume({}, { annotations: { [annotations.bindImmediately]: '' } });
    const actions = reconcileDataVolume(
      observe({ volume: now, claim: claim('Pending'), storageClass: lazy }),
    );
    assert.deepEqual(kinds(actions), ['createPod', 'setStatus']);
  });

  test('does not take a claim of somebody else', () => {
    const foreign = { ...claim('Bound'), metadata: { namespace: 'ns', name: 'dv', uid: 'x' } };
    const actions = reconcileDataVolume(observe({ volume: volume(), claim: foreign }));
    assert.match(runningOf(actions) ?? '', /^ErrResourceExists/);
    assert.deepEqual(kinds(actions), ['setStatus']);
  });

  test('of a source that is not built fails, saying so', () => {
    const actions = reconcileDataVolume(
      observe({ volume: volume({ source: { gcs: { url: 'https://b/x' } } }) }),
    );
    assert.equal(phaseOf(actions), 'Failed');
    assert.match(runningOf(actions) ?? '', /source\.gcs is not built/);
  });
});

test('the provisioner fills blanks and clones: bound is done', () => {
  for (const source of [
    { blank: {} },
    { pvc: { name: 'a', namespace: 'ns' } },
    { snapshot: { name: 'a', namespace: 'ns' } },
  ]) {
    const actions = reconcileDataVolume(observe({ volume: volume({ source }), claim: claim('Bound') }));
    assert.equal(phaseOf(actions), 'Succeeded');
  }
});

describe('a clone on a class that waits for the first consumer', () => {
  const source = { pvc: { name: 'a', namespace: 'ns' } };
  const atOnce = volume({ source }, { annotations: { [annotations.bindImmediately]: '' } });
  const binder = (more: Partial<Observed>): Pod | undefined =>
    reconcileDataVolume(observe({ volume: atOnce, storageClass: lazy, ...more })).flatMap((action) =>
      action.kind === 'createPod' ? [action.pod] : [],
    )[0];

  test('waits, unless it was asked to bind at once', () => {
    const waiting = observe({ volume: volume({ source }), claim: claim('Pending'), storageClass: lazy });
    assert.equal(phaseOf(reconcileDataVolume(waiting)), 'WaitForFirstConsumer');
    const pod = binder({ claim: claim('Pending') });
    assert.equal(pod?.metadata.name, 'binder-dv');
    const env = pod?.spec.containers[0]?.env?.find(({ name }) => name === IMPORT_JOB_VARIABLE)?.value;
    assert.deepEqual((JSON.parse(env ?? '{}') as { source: unknown }).source, { kind: 'none' });
  });

  test('has one such Pod, none where another consumer came first, and none when it is bound', () => {
    const pod = binder({ claim: claim('Pending') });
    assert.ok(pod !== undefined);
    assert.equal(binder({ claim: claim('Pending'), pods: [pod] }), undefined);
    const stranger: Pod = { ...pod, metadata: { namespace: 'ns', name: 'other' } };
    assert.equal(binder({ claim: claim('Pending'), pods: [stranger] }), undefined);
    const bound = observe({ volume: atOnce, claim: claim('Bound'), storageClass: lazy, pods: [pod] });
    const actions = reconcileDataVolume(bound);
    assert.equal(phaseOf(actions), 'Succeeded');
    assert.deepEqual(kinds(actions), ['deletePod', 'setStatus']);
  });

  test('tells why that Pod cannot be placed', () => {
    const pod = binder({ claim: claim('Pending') });
    assert.ok(pod !== undefined);
    const conditions = [
      { type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable', message: '0/1 nodes' },
    ];
    const pods = [{ ...pod, status: { phase: 'Pending' as const, conditions } }];
    const stuck = observe({ volume: atOnce, claim: claim('Pending'), storageClass: lazy, pods });
    assert.equal(runningOf(reconcileDataVolume(stuck)), 'Unschedulable: 0/1 nodes');
  });
});

test('a restored claim is taken as it is', () => {
  const restored = volume({}, { annotations: { [annotations.prePopulated]: 'dv' } });
  const other = { ...claim('Bound'), metadata: { namespace: 'ns', name: 'dv', uid: 'x' } };
  assert.equal(phaseOf(reconcileDataVolume(observe({ volume: restored, claim: other }))), 'Succeeded');
});

test('a claim on its own may wait for an upload', () => {
  const alone: PersistentVolumeClaim = {
    ...claim('Bound'),
    metadata: { namespace: 'ns', name: 'up', uid: 'u', annotations: { [annotations.uploadTarget]: '' } },
  };
  const [action] = reconcileDataVolume(observe({ claim: alone }));
  assert.equal(action?.kind === 'createPod' && action.pod.metadata.name, 'cdi-upload-up');
  assert.deepEqual(reconcileDataVolume(observe({ claim: claim('Bound') })), []);
});

test('a claim that is deleted does not wait for the Pod that fills it', () => {
  const going = claim('Bound');
  const deleted = { ...going, metadata: { ...going.metadata, deletionTimestamp: 'now' } };
  const pods = [worker(state('running', {}))];
  assert.deepEqual(kinds(reconcileDataVolume(observe({ claim: deleted, pods }))), ['deletePod']);
  assert.deepEqual(kinds(reconcileDataVolume(observe({ volume: volume(), claim: deleted, pods }))), [
    'deletePod',
  ]);
});

test('the claim asks for what the class is best at', () => {
  const [action] = reconcileDataVolume(observe({ volume: volume() }));
  assert.ok(action?.kind === 'createClaim');
  assert.deepEqual(action.claim.spec.accessModes, ['ReadWriteMany']);
  const nothing = reconcileDataVolume(observe({ volume: volume({ storage: {} }) }));
  assert.match(runningOf(nothing) ?? '', /missing storage size/);
});

describe('a class that nobody has described', () => {
  const foreign: StorageClass = { metadata: { name: 'shared' }, provisioner: 'csi.example.com' };
  const view = {
    ...observe({}).view,
    classes: [foreign],
    properties: () => propertiesOf(foreign, undefined),
  };
  const storage = { storageClassName: 'shared', resources: { requests: { storage: '1Gi' } } };
  const plan = (spec: Partial<DataVolume['spec']>) =>
    reconcileDataVolume(observe({ volume: volume({ storage, ...spec }), view }));

  test('is asked for what all classes can, and the DataVolume says so', () => {
    const actions = plan({});
    const made = actions.find((action) => action.kind === 'createClaim');
    assert.deepEqual(made?.claim.spec.accessModes, ['ReadWriteOnce']);
    assert.equal(made?.claim.spec.volumeMode, 'Filesystem');
    const told = actions.find((action) => action.kind === 'event' && action.reason === 'AccessModeAssumed');
    assert.match(told?.kind === 'event' ? told.message : '', /StorageProfile shared/);
  });

  test('keeps the mode of volumes that was asked for', () => {
    const made = plan({ storage: { ...storage, volumeMode: 'Block' } }).find(
      (action) => action.kind === 'createClaim',
    );
    assert.deepEqual(made?.claim.spec.accessModes, ['ReadWriteOnce']);
    assert.equal(made?.claim.spec.volumeMode, 'Block');
  });

  test('nothing is assumed where a mode is named', () => {
    const actions = plan({ storage: { ...storage, accessModes: ['ReadWriteMany'] } });
    const made = actions.find((action) => action.kind === 'createClaim');
    assert.deepEqual(made?.claim.spec.accessModes, ['ReadWriteMany']);
    assert.ok(!actions.some((action) => action.kind === 'event' && action.reason === 'AccessModeAssumed'));
  });

  test('one that does not exist, or none at all, is named with the way out', () => {
    assert.match(
      runningOf(plan({ storage: { ...storage, storageClassName: 'typo' } })) ?? '',
      /storage class typo does not exist/,
    );
    const { storageClassName: _, ...unnamed } = storage;
    assert.match(runningOf(plan({ storage: unnamed })) ?? '', /make a storage class the default/);
  });
});

test('the Pod has no privileges and knows its job', () => {
  const { spec } = worker(undefined);
  const [container] = spec.containers;
  assert.equal(spec.securityContext?.runAsUser, 107);
  assert.deepEqual(container?.securityContext?.capabilities?.drop, ['ALL']);
  assert.equal(spec.automountServiceAccountToken, false);
  const job = container?.env?.find(({ name }) => name === IMPORT_JOB_VARIABLE)?.value ?? '{}';
  assert.equal(JSON.parse(job).capacityBytes, 1 << 30);
});
