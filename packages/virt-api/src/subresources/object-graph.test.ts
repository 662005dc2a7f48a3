/** The trees are those of KubeVirt's `pkg/virt-api/rest/objectgraph.go`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type VirtualMachine, type VirtualMachineInstance } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { ANYBODY } from '../testing/anybody.ts';
import type { Decider, StoredState } from './decision.ts';
import { type ObjectGraphNode, vmiObjectGraph, vmObjectGraph } from './object-graph.ts';

const config = clusterConfig({
  spec: { configuration: { developerConfiguration: { featureGates: ['ObjectGraph'] } } },
});
const spec: VirtualMachineInstance['spec'] = {
  domain: { devices: {} },
  networks: [
    { name: 'default', pod: {} },
    { name: 'other', multus: { networkName: 'shared/blue' } },
    { name: 'own', multus: { networkName: 'green' } },
  ],
  accessCredentials: [
    { sshPublicKey: { source: { secret: { secretName: 'keys' } }, propagationMethod: { noCloud: {} } } },
  ],
  volumes: [
    { name: 'root', dataVolume: { name: 'disk' } },
    { name: 'data', persistentVolumeClaim: { claimName: 'claim' } },
    {
      name: 'seed',
      cloudInitNoCloud: { secretRef: { name: 'keys' }, networkDataSecretRef: { name: 'net' } },
    },
    { name: 'settings', configMap: { name: 'settings' } },
    { name: 'account', serviceAccount: { serviceAccountName: 'robot' } },
  ],
};
const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'a', namespace: 'n', uid: 'vm-uid' },
  spec: {
    instancetype: { name: 'u1.small', kind: 'virtualmachineclusterinstancetype' },
    preference: { name: 'linux', kind: 'VirtualMachinePreference', revisionName: 'a-linux' },
    template: { spec },
  },
  status: { instancetypeRef: { name: 'u1.small', controllerRevisionRef: { name: 'a-u1.small' } } },
};
const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a', namespace: 'n', uid: 'vmi-uid' },
  spec,
};
const launcher = {
  metadata: {
    name: 'virt-launcher-a-x',
    namespace: 'n',
    ownerReferences: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        name: 'a',
        uid: 'vmi-uid',
        controller: true,
      },
    ],
  },
  spec: { containers: [] },
};

function graph(decide: Decider, body?: unknown, state: Partial<StoredState> = {}): ObjectGraphNode {
  const request = {
    namespace: 'n',
    name: 'a',
    body,
    query: new URLSearchParams(),
    parameters: {},
    user: ANYBODY,
  };
  const decision = decide(request, {
    vm: { kind: 'found', object: vm },
    vmi: { kind: 'absent' },
    graph: { launchers: { kind: 'found', object: [] }, stateClaims: { kind: 'found', object: [] } },
    config,
    ...state,
  });
  assert.ok(decision.kind === 'answer');
  return decision.body as ObjectGraphNode;
}

/** One line for each node; a star: optional. */
function lines({ objectReference, children = [], optional }: ObjectGraphNode): readonly string[] {
  const { kind, name, namespace } = objectReference;
  return [
    `${kind} ${namespace}/${name}${optional === true ? ' *' : ''}`,
    ...children.flatMap((child) => lines(child).map((line) => `  ${line}`)),
  ];
}

const STORED = [
  '  Secret n/keys',
  '  DataVolume n/disk',
  '    PersistentVolumeClaim n/disk',
  '  PersistentVolumeClaim n/claim',
  '  Secret n/keys',
  '  Secret n/net',
  '  ConfigMap n/settings',
  '  ServiceAccount n/robot',
];
const NETWORKS = ['  NetworkAttachmentDefinition shared/blue *', '  NetworkAttachmentDefinition n/green *'];
const TYPES = [
  '  VirtualMachineClusterInstancetype /u1.small *',
  '  ControllerRevision n/a-u1.small',
  '  VirtualMachinePreference n/linux *',
  '  ControllerRevision n/a-linux',
];

const running: Partial<StoredState> = {
  vm: { kind: 'found', object: { ...vm, status: { ...vm.status, created: true } } },
  vmi: { kind: 'found', object: vmi },
  graph: {
    launchers: { kind: 'found', object: [{ ...launcher, metadata: { name: 'other' } }, launcher] },
    stateClaims: { kind: 'found', object: [] },
  },
};

test('what a stopped VM depends on', () => {
  assert.deepEqual(lines(graph(vmObjectGraph)), ['VirtualMachine n/a', ...TYPES, ...STORED, ...NETWORKS]);
});

test('a running VM has its VMI with the Pod beside what it depends on', () => {
  assert.deepEqual(lines(graph(vmObjectGraph, {}, running)), [
    'VirtualMachine n/a',
    '  VirtualMachineInstance n/a',
    '    Pod n/virt-launcher-a-x',
    ...TYPES,
    ...STORED,
    ...NETWORKS,
  ]);
});

test('a VMI depends on its Pod and on what it names', () => {
  assert.deepEqual(lines(graph(vmiObjectGraph, undefined, running)), [
    'VirtualMachineInstance n/a',
    '  Pod n/virt-launcher-a-x',
    ...STORED,
    ...NETWORKS,
  ]);
});

test('group, namespace and label of a node', () => {
  const { objectReference, labels, children = [] } = graph(vmObjectGraph);
  assert.deepEqual(objectReference, {
    apiGroup: 'kubevirt.io',
    kind: 'VirtualMachine',
    name: 'a',
    namespace: 'n',
  });
  assert.deepEqual(labels, { 'kubevirt.io/dependency-type': 'compute' });
  assert.deepEqual(
    children
      .slice(0, 6)
      .map(({ objectReference: { apiGroup }, labels: told }) => [
        apiGroup,
        told['kubevirt.io/dependency-type'],
      ]),
    [
      ['instancetype.kubevirt.io', 'config'],
      ['apps', 'config'],
      ['instancetype.kubevirt.io', 'config'],
      ['apps', 'config'],
      ['', 'config'],
      ['cdi.kubevirt.io', 'storage'],
    ],
  );
});

test('what is optional can be left out, and by label what hangs below goes too', () => {
  assert.deepEqual(lines(graph(vmObjectGraph, { includeOptionalNodes: false })), [
    'VirtualMachine n/a',
    '  ControllerRevision n/a-u1.small',
    '  ControllerRevision n/a-linux',
    ...STORED,
  ]);
  const labelSelector = { matchLabels: { 'kubevirt.io/dependency-type': 'storage' } };
  assert.deepEqual(lines(graph(vmObjectGraph, { labelSelector }, running)), [
    'VirtualMachine n/a',
    '  DataVolume n/disk',
    '    PersistentVolumeClaim n/disk',
    '  PersistentVolumeClaim n/claim',
  ]);
});

test('the claim of firmware and TPM belongs to it: the youngest that stays', () => {
  const devices = { tpm: { persistent: true } };
  const keeping = { ...vm, spec: { template: { spec: { domain: { devices } } } } } as VirtualMachine;
  const of = (...claims: readonly object[]): Partial<StoredState> => ({
    vm: { kind: 'found', object: keeping },
    graph: {
      launchers: { kind: 'found', object: [] },
      stateClaims: { kind: 'found', object: claims as never },
    },
  });
  const claim = (name: string, creationTimestamp: string, more: object = {}) => ({
    metadata: { name, creationTimestamp, ...more },
    spec: {},
  });
  const deletionTimestamp = '2026-01-04T00:00:00Z';
  const state = of(
    claim('old', '2026-01-01T00:00:00Z'),
    claim('current', '2026-01-02T00:00:00Z'),
    claim('going', '2026-01-03T00:00:00Z', { deletionTimestamp }),
  );
  assert.deepEqual(lines(graph(vmObjectGraph, {}, state)), [
    'VirtualMachine n/a',
    '  PersistentVolumeClaim n/current',
  ]);
  assert.throws(
    () => graph(vmObjectGraph, {}, of()),
    (error) =>
      error instanceof StatusError &&
      error.code === 500 &&
      error.message ===
        'Internal error occurred: failed to get backend volume (no backend PVC when there should be one), VM might still be provisioning. Proceeding with the remaining volumes',
  );
  const plain = { ...vmi, spec: { domain: { devices } } } as VirtualMachineInstance;
  assert.deepEqual(lines(graph(vmiObjectGraph, {}, { ...of(), vmi: { kind: 'found', object: plain } })), [
    'VirtualMachineInstance n/a',
  ]);
});

test('Pods that cannot be listed are an error', () => {
  const failed = { kind: 'failed', message: 'no answer' } as const;
  const state = { ...running, graph: { launchers: failed, stateClaims: failed } };
  assert.throws(() => graph(vmObjectGraph, {}, state), /^StatusError: Internal error occurred: no answer$/);
});

test('the gate must be open', () => {
  assert.throws(
    () => graph(vmObjectGraph, undefined, { config: clusterConfig() }),
    /ObjectGraph feature gate not enabled: Unable to return object graph\./,
  );
});
