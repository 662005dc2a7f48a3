import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeVirt, Node } from '@podvisor/api';
import { cgroupVersionIn } from './cgroup-versions.ts';
import { clusterChecks, type ClusterView } from './doctor.ts';
import { isInstalled, progressLine } from './follow-kubevirt.ts';
import type { OperatorDeployment } from './other-kubevirt.ts';

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
  operators: [],
};
const said = (changes: Partial<ClusterView>): string[] =>
  clusterChecks({ ...view, ...changes }).map(({ level, what }) => `${level} ${what}`);

const operator = (...args: readonly string[]): OperatorDeployment => ({
  metadata: { name: 'virt-operator', namespace: 'kubevirt' },
  spec: { template: { spec: { containers: [{ args }] } } },
});

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
    'the operator of another KubeVirt before it has installed anything',
    { operators: [operator('--port', '8443', '-v', '2')], kubevirts: [kubeVirt({})] },
    'FAIL kubevirt.io',
  ],
  ['our own operator', { operators: [operator('--namespace=vms')] }, 'PASS kubevirt.io'],
  [
    'Podvisor itself',
    { definition: { metadata: { labels: { 'operator.podvisor.io/installed-in': 'vms' } } } },
    'PASS kubevirt.io',
  ],
  ['an installation that never began', { kubevirts: [kubeVirt({})] }, 'WARN kubevirt.io'],
  ['no node', { nodes: [] }, 'FAIL nodes'],
  ['one node', { nodes: [node('a')] }, 'WARN live migration'],
  ['a node without KVM', { nodes: [node('a', { 'kubevirt.io/schedulable': 'true' })] }, 'WARN KVM on a'],
  ['control groups of version 1', { cgroupVersions: new Map([['b', '1']]) }, 'WARN control groups on b'],
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

const foundOf = (changes: Partial<ClusterView>, what: string): string => {
  const check = clusterChecks({ ...view, ...changes }).find((entry) => entry.what === what);
  return `${check?.found}; ${check?.fix}`;
};

test('the way out from another KubeVirt names the VMs that would go with it', () => {
  assert.match(
    foundOf({ operators: [operator('-v', '2')] }, 'kubevirt.io'),
    /kubevirt\/virt-operator.*keep its VMs/,
  );
});

test('a node says what it runs, and one without a network plugin what it lacks', () => {
  const cgroupVersions = new Map([['a', '2']]);
  assert.match(
    foundOf({ cgroupVersions }, 'node a'),
    /^ready, kubelet v1.36.0, containerd:\/\/2.1, cgroup v2/,
  );
  assert.match(foundOf({ cgroupVersions }, 'node b'), /containerd:\/\/2.1;/);
  const message = 'container runtime network not ready: NetworkReady=false cni plugin not initialized';
  const conditions = [{ type: 'Ready', status: 'False' as const, message }];
  const nodes = [{ ...node('a'), status: { ...node('a').status, conditions } }];
  assert.match(
    foundOf({ nodes }, 'node a'),
    /not ready: .*cni plugin not initialized; install a network plugin/,
  );
});

test('container disks are image volumes where every node has them', () => {
  assert.match(foundOf({}, 'container disks'), /^image volumes/);
  const nodeInfo = { kubeletVersion: 'v1.36.0', containerRuntimeVersion: 'containerd://1.6.20' };
  const older = { ...node('c'), status: { ...node('c').status, nodeInfo } };
  assert.match(foundOf({ nodes: [node('a'), older] }, 'container disks'), /^held by containers, as c has no/);
});

test('the version of control groups is among what a kubelet measures', () => {
  const metrics = '# TYPE kubelet_cgroup_version gauge\nkubelet_cgroup_version 2\nkubelet_other 1\n';
  assert.equal(cgroupVersionIn(metrics), '2');
  assert.equal(cgroupVersionIn('# TYPE kubelet_cgroup_version gauge\n'), undefined);
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
