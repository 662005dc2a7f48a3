import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeVirt, Node, StorageClass, StorageProfile } from '@podvisor/api';
import { cgroupVersionIn, imageVolumeGateIn } from './kubelet-metrics.ts';
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
  [
    'control groups of version 1',
    { kubelets: new Map([['b', { cgroupVersion: '1' }]]) },
    'WARN control groups on b',
  ],
  ['no Prometheus', {}, 'WARN metrics and alerts'],
  ['a Prometheus', { groups: new Set(['monitoring.coreos.com']) }, 'PASS metrics and alerts'],
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
  const kubelets = new Map([['a', { cgroupVersion: '2' }]]);
  assert.match(foundOf({ kubelets }, 'node a'), /^ready, kubelet v1.36.0, containerd:\/\/2.1, cgroup v2/);
  assert.match(foundOf({ kubelets }, 'node b'), /containerd:\/\/2.1;/);
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

test('a gate that somebody turned off is told, with both ways out', () => {
  const kubelets = new Map([['b', { imageVolumes: false }]]);
  const off = foundOf({ kubelets }, 'container disks');
  assert.match(off, /gate ImageVolume is off on b.*refuse.*disabledFeatureGates/);
  assert.ok(said({ kubelets }).includes('WARN container disks'));
  assert.match(foundOf({ apiServerImageVolumes: false }, 'container disks'), /off on the API server/);
  const developerConfiguration = { disabledFeatureGates: ['ImageVolume'] };
  const kubevirts = [kubeVirt({ configuration: { developerConfiguration } })];
  assert.match(
    foundOf({ kubelets, kubevirts }, 'container disks'),
    /^held by containers, as the KubeVirt object says/,
  );
  const metrics = [
    '# TYPE kubernetes_feature_enabled gauge',
    'kubernetes_feature_enabled{name="ImageVolumeWithDigest",stage="ALPHA"} 0',
    'kubernetes_feature_enabled{name="ImageVolume",stage="BETA"} ',
  ].join('\n');
  assert.deepEqual([`${metrics}1`, `${metrics}0\n`, ''].map(imageVolumeGateIn), [true, false, undefined]);
});

const storageClass = (name: string, annotations: Record<string, string> = {}): StorageClass => ({
  metadata: { name, annotations },
  provisioner: `${name}.csi.example`,
});
const profile = (name: string, ...modes: readonly string[]): StorageProfile => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'StorageProfile',
  metadata: { name },
  status: modes.length === 0 ? {} : { claimPropertySets: [{ accessModes: modes, volumeMode: 'Block' }] },
});

test('a storage class says whether VMs on it move, as its StorageProfile has it', () => {
  const classes = [storageClass('shared'), storageClass('local'), storageClass('new')];
  const profiles = [
    profile('shared', 'ReadWriteOnce', 'ReadWriteMany'),
    profile('local', 'ReadWriteOnce'),
    profile('new'),
  ];
  const of = (name: string): string => foundOf({ classes, profiles }, `StorageClass ${name}`);
  assert.match(
    of('shared'),
    /shared.csi.example, Immediate; ReadWriteMany \(Block\): VMs on it move while they run/,
  );
  assert.match(of('local'), /ReadWriteOnce: VMs on it do not move while they run; .*ReadWriteMany/);
  assert.match(of('new'), /not known whether .*; set spec.claimPropertySets of StorageProfile new/);
  assert.match(foundOf({ classes }, 'StorageClass new'), /not known whether .*ReadWriteMany/);
  assert.ok(said({ classes, profiles }).includes('WARN StorageClass local'));
  assert.ok(said({ classes, profiles }).includes('PASS StorageClass new'));
});

test('a storage class says whether there are snapshots on it, where the cluster has snapshots at all', () => {
  const classes = [storageClass('a'), storageClass('b')];
  const groups = new Set(['snapshot.storage.k8s.io']);
  const snapshotDrivers = new Set(['a.csi.example']);
  const of = (name: string, changes: Partial<ClusterView>): string =>
    foundOf({ classes, ...changes }, `StorageClass ${name}`);
  assert.doesNotMatch(of('a', { groups, snapshotDrivers }), /snapshot/);
  assert.match(of('b', { groups, snapshotDrivers }), /no VolumeSnapshotClass has its driver: no snapshots/);
  assert.doesNotMatch(of('b', {}), /snapshot/);
});

test('claims that name no class wait where none is the default', () => {
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  assert.ok(said({ classes: [storageClass('a')] }).includes('WARN default StorageClass'));
  assert.equal(
    said({ classes: [storageClass('a', isDefault)] }).some((line) => line.endsWith('default StorageClass')),
    false,
  );
  assert.match(foundOf({ classes: [storageClass('a', isDefault)] }, 'StorageClass a'), /, the default;/);
});

test('systems that come with SELinux are named, with what is not known there', () => {
  const on = (osImage: string, labels: Record<string, string> = {}): string[] => {
    const one = node('a', labels);
    return said({
      nodes: [{ ...one, status: { ...one.status, nodeInfo: { ...one.status?.nodeInfo, osImage } } }],
    });
  };
  const words = 'WARN SELinux on a';
  for (const system of [
    'Red Hat Enterprise Linux CoreOS 418.94',
    'Fedora Linux 43 (CoreOS)',
    'Rocky Linux 9.6 (Blue Onyx)',
    'Bottlerocket OS 1.40.0',
  ])
    assert.ok(on(system).includes(words), system);
  for (const system of ['Debian GNU/Linux 12 (bookworm)', 'Ubuntu 24.04.3 LTS', ''])
    assert.ok(!on(system).includes(words), system);
  assert.ok(
    on('Debian GNU/Linux 12', { 'feature.node.kubernetes.io/kernel-selinux.enabled': 'true' }).includes(
      words,
    ),
  );
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
