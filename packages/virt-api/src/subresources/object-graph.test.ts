import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type VirtualMachine } from '@podvisor/api';
import { ANYBODY } from '../testing/anybody.ts';
import type { StoredState } from './decision.ts';
import { type ObjectGraphNode, vmObjectGraph } from './object-graph.ts';

const config = clusterConfig({
  spec: { configuration: { developerConfiguration: { featureGates: ['ObjectGraph'] } } },
});
const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'a', namespace: 'n' },
  spec: {
    instancetype: { name: 'u1.small' },
    preference: { name: 'linux', kind: 'VirtualMachinePreference' },
    template: {
      spec: {
        domain: { devices: {} },
        networks: [
          { name: 'default', pod: {} },
          { name: 'other', multus: { networkName: 'shared/blue' } },
        ],
        accessCredentials: [
          {
            sshPublicKey: { source: { secret: { secretName: 'keys' } }, propagationMethod: { noCloud: {} } },
          },
        ],
        volumes: [
          { name: 'root', dataVolume: { name: 'disk' } },
          { name: 'seed', cloudInitNoCloud: { secretRef: { name: 'keys' } } },
          { name: 'settings', configMap: { name: 'settings' } },
        ],
      },
    },
  },
  status: { instancetypeRef: { name: 'u1.small', controllerRevisionRef: { name: 'a-u1.small' } } },
};

function graph(body: unknown = undefined, state: Partial<StoredState> = {}): readonly string[] {
  const request = {
    namespace: 'n',
    name: 'a',
    body,
    query: new URLSearchParams(),
    parameters: {},
    user: ANYBODY,
  };
  const decision = vmObjectGraph(request, {
    vm: { kind: 'found', object: vm },
    vmi: { kind: 'absent' },
    config,
    ...state,
  });
  assert.equal(decision.kind, 'answer');
  const lines = ({
    objectReference: { kind, name, namespace },
    children = [],
  }: ObjectGraphNode): string[] => [
    `${kind} ${namespace ?? '-'}/${name}`,
    ...children.flatMap((child) => lines(child).map((line) => `  ${line}`)),
  ];
  return decision.kind === 'answer' ? lines(decision.body as ObjectGraphNode) : [];
}

const BELOW = [
  'DataVolume n/disk',
  'PersistentVolumeClaim n/disk',
  'Secret n/keys',
  'ConfigMap n/settings',
  'NetworkAttachmentDefinition shared/blue',
];
const TYPES = [
  '  VirtualMachineClusterInstancetype -/u1.small',
  '  ControllerRevision n/a-u1.small',
  '  VirtualMachinePreference n/linux',
];

test('what a stopped VM depends on; each object once', () => {
  assert.deepEqual(graph(), ['VirtualMachine n/a', ...TYPES, ...BELOW.map((line) => `  ${line}`)]);
});

test('a running one depends through its VMI, which can be left out', () => {
  const spec = vm.spec.template?.spec;
  assert.ok(spec);
  const object = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a', namespace: 'n' },
    spec,
  } as const;
  const vmi = { kind: 'found', object } as const;
  assert.deepEqual(graph({ includeOptionalNodes: true }, { vmi }), [
    'VirtualMachine n/a',
    ...TYPES,
    '  VirtualMachineInstance n/a',
    ...BELOW.map((line) => `    ${line}`),
  ]);
  assert.deepEqual(graph({ includeOptionalNodes: false }, { vmi }), [
    'VirtualMachine n/a',
    ...TYPES,
    ...BELOW.map((line) => `  ${line}`),
  ]);
});

test('by label', () => {
  const labelSelector = { matchLabels: { 'kubevirt.io/dependency-type': 'storage' } };
  assert.deepEqual(graph({ labelSelector }), [
    'VirtualMachine n/a',
    '  DataVolume n/disk',
    '  PersistentVolumeClaim n/disk',
  ]);
});

test('the gate must be open', () => {
  assert.throws(
    () => graph(undefined, { config: clusterConfig() }),
    /ObjectGraph feature gate not enabled: Unable to return object graph\./,
  );
});
