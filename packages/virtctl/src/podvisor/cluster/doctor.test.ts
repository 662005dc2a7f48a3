import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeVirt, Node } from '@podvisor/api';
import { clusterChecks, type ClusterView } from './doctor.ts';
import { isInstalled, progressLine } from './follow-kubevirt.ts';

const node = (name: string, labels: Record<string, string> = {}): Node => ({
  metadata: { name, labels },
  spec: {},
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    nodeInfo: { kubeletVersion: 'v1.36.0', containerRuntimeVersion: 'containerd://2.1' },
  },
});
const kubeVirt = (spec: KubeVirt['spec']): KubeVirt => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'KubeVirt',
  metadata: { name: 'kubevirt', namespace: 'kubevirt' },
  spec,
});
const view: ClusterView = {
  version: { major: '1', minor: '36', gitVersion: 'v1.36.0' },
  nodes: [node('a'), node('b')],
  classes: [],
  groups: new Set(['cdi.kubevirt.io']),
  kubevirts: [],
};
const said = (changes: Partial<ClusterView>): string[] =>
  clusterChecks({ ...view, ...changes }).map(({ level, what }) => `${level} ${what}`);

const cases: readonly [string, Partial<ClusterView>, string][] = [
  ['a version that will do', {}, 'PASS Kubernetes'],
  ['a cluster that is too old', { version: { major: '1', minor: '31+' } }, 'FAIL Kubernetes'],
  ['nothing installed', {}, 'PASS kubevirt.io'],
  [
    'another KubeVirt',
    { definition: { metadata: { labels: { 'app.kubernetes.io/managed-by': 'virt-operator' } } } },
    'FAIL kubevirt.io',
  ],
  [
    'Podvisor itself',
    { definition: { metadata: { labels: { 'operator.podvisor.io/installed-in': 'vms' } } } },
    'PASS kubevirt.io',
  ],
  ['an installation that never began', { kubevirts: [kubeVirt({})] }, 'WARN kubevirt.io'],
  ['no node', { nodes: [] }, 'FAIL nodes'],
  ['one node', { nodes: [node('a')] }, 'WARN live migration'],
  ['a node without KVM', { nodes: [node('a', { 'kubevirt.io/schedulable': 'true' })] }, 'WARN KVM on a'],
  ['no storage', {}, 'WARN storage'],
  ['DataVolumes', {}, 'PASS DataVolumes'],
  ['no snapshots', {}, 'WARN snapshots'],
];
for (const [name, changes, expected] of cases)
  test(`cluster doctor: ${name}`, () =>
    assert.ok(said(changes).includes(expected), said(changes).join('\n')));

test('a node without KVM: emulation that is allowed is not asked for', () => {
  const kubevirts = [kubeVirt({ configuration: { developerConfiguration: { useEmulation: true } } })];
  const nodes = [node('a', { 'kubevirt.io/schedulable': 'true' })];
  const fixOf = (changes: Partial<ClusterView>): string | undefined =>
    clusterChecks({ ...view, nodes, ...changes }).find(({ what }) => what === 'KVM on a')?.fix;
  assert.match(fixOf({}) ?? '', /or set .*useEmulation/);
  assert.match(fixOf({ kubevirts }) ?? '', /useEmulation, which is set/);
});

test('what fails or warns has a fix, or says it', () => {
  for (const { level, what, found, fix } of clusterChecks({ ...view, nodes: [] }))
    assert.ok(level === 'PASS' || fix !== undefined, `${what}: ${found}`);
});

test('progress of a KubeVirt object in a line', () => {
  const kubevirt = (status: KubeVirt['status']): KubeVirt => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { generation: 2 },
    spec: {},
    ...(status === undefined ? {} : { status }),
  });
  assert.equal(progressLine(kubevirt(undefined)), 'Pending');
  const condition = (type: string, status: 'True' | 'False', message: string) => ({
    type,
    status,
    reason: 'R',
    message,
  });
  const going = [
    condition('Progressing', 'True', 'x'),
    condition('Available', 'False', 'waiting for virt-api'),
  ];
  assert.equal(
    progressLine(kubevirt({ phase: 'Deploying', conditions: going })),
    'Deploying: waiting for virt-api',
  );
  const blocked = [condition('Synchronized', 'False', 'two of them')];
  assert.equal(
    progressLine(kubevirt({ phase: 'Deploying', conditions: blocked })),
    'Deploying: R: two of them',
  );
  const done = [condition('Progressing', 'False', 'x'), condition('Available', 'True', 'x')];
  assert.equal(isInstalled(kubevirt({ phase: 'Deployed', observedGeneration: 2, conditions: done })), true);
  assert.equal(isInstalled(kubevirt({ phase: 'Deployed', observedGeneration: 1, conditions: done })), false);
});
