/** `podvisor cluster doctor`: what a cluster has and lacks for VMs, each with the fix. Needs nothing to be installed. */
import type { KubeVirt, Node, StorageClass } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { unsupportedVersion, type Version } from '@podvisor/virt-operator';
import { type Check, printChecks } from '../doctor/doctor.ts';
import { readCgroupVersions } from './cgroup-versions.ts';
import { containerDisksCheck, nodeChecks } from './node-checks.ts';
import { findVisible, type InstalledKubeVirt, othersIn, ourNamespace, WAY_OUT } from './other-kubevirt.ts';
import { type ClusterFlags, clusterClient, kubeconfigFlag } from './access.ts';

export async function clusterDoctor(flags: ClusterFlags): Promise<boolean> {
  const checks = await diagnoseCluster(clusterClient(flags), AbortSignal.timeout(15_000));
  const isGood = printChecks(checks, 'This cluster can run VMs');
  const isNew = checks.some(({ found }) => found === NOTHING);
  if (isGood) console.log(`Next: ./podvisor cluster ${isNew ? 'install' : 'status'}${kubeconfigFlag(flags)}`);
  return isGood;
}

const NOTHING = 'nothing is installed yet';

/** Everything that the checks look at. */
export interface ClusterView extends InstalledKubeVirt {
  readonly version: Version;
  readonly nodes: readonly Node[];
  readonly classes: readonly StorageClass[];
  readonly groups: ReadonlySet<string>;
  readonly kubevirts: readonly KubeVirt[];
  /** Of the nodes whose kubelets say it. */
  readonly cgroupVersions?: ReadonlyMap<string, string>;
}

export async function diagnoseCluster(client: KubeClient, signal: AbortSignal): Promise<readonly Check[]> {
  const [version, nodes, classes, apis, installed, kubevirts] = await Promise.all([
    client.request<Version>({ method: 'GET', path: '/version' }, signal),
    client.list(resources.nodes, {}, signal),
    client.list(resources.storageClasses, {}, signal),
    client.request<{ groups: { name: string }[] }>({ method: 'GET', path: '/apis' }, signal),
    findVisible(client, signal),
    client.list(resources.kubeVirts, {}, signal).catch((error: unknown) => {
      if (isStatus(error, 'NotFound') || isStatus(error, 'Forbidden')) return { items: [] };
      throw error;
    }),
  ]);
  const names = nodes.items.map(({ metadata }) => metadata.name ?? '');
  return clusterChecks({
    cgroupVersions: await readCgroupVersions(client, names, signal),
    version,
    nodes: nodes.items,
    classes: classes.items,
    groups: new Set(apis.groups.map(({ name }) => name)),
    kubevirts: kubevirts.items,
    ...installed,
  });
}

/** Pure. */
export function clusterChecks(view: ClusterView): readonly Check[] {
  return [
    versionCheck(view),
    ownerCheck(view),
    ...view.nodes.flatMap((node) =>
      nodeChecks(node, {
        isEmulated: isEmulationAllowed(view),
        cgroupVersion: view.cgroupVersions?.get(node.metadata.name ?? ''),
      }),
    ),
    nodesCheck(view),
    containerDisksCheck(view.nodes),
    ...storageChecks(view),
    kindsCheck(
      view,
      'cdi.kubevirt.io',
      'DataVolumes',
      'set the feature gate DataVolumes of the KubeVirt object, or install CDI',
    ),
    kindsCheck(
      view,
      'snapshot.storage.k8s.io',
      'snapshots',
      'install the CSI snapshot controller and its definitions',
    ),
    kindsCheck(view, 'k8s.cni.cncf.io', 'further networks (Multus)', 'install Multus'),
  ];
}

function versionCheck({ version }: ClusterView): Check {
  const problem = unsupportedVersion(version);
  const what = 'Kubernetes';
  return problem === undefined
    ? { level: 'PASS', what, found: version.gitVersion ?? '' }
    : { level: 'FAIL', what, found: problem };
}

function isEmulationAllowed({ kubevirts }: ClusterView): boolean {
  return kubevirts.some(({ spec }) => spec.configuration?.developerConfiguration?.useEmulation === true);
}

function ownerCheck(view: ClusterView): Check {
  const what = 'kubevirt.io';
  const others = othersIn(view);
  if (others !== undefined) return { level: 'FAIL', what, found: others, fix: WAY_OUT };
  const {
    definition,
    kubevirts: [kubevirt],
  } = view;
  if (definition === undefined && kubevirt !== undefined)
    return {
      level: 'WARN',
      what,
      found: `KubeVirt ${kubevirt.metadata?.namespace}/${kubevirt.metadata?.name} is there, and nothing of it is installed`,
      fix: 'see what virt-operator does: ./podvisor cluster status',
    };
  const found =
    definition === undefined ? NOTHING : `Podvisor is installed in namespace ${ourNamespace(view)}`;
  return { level: 'PASS', what, found };
}

function nodesCheck({ nodes }: ClusterView): Check {
  const what = 'live migration';
  if (nodes.length === 0)
    return { level: 'FAIL', what: 'nodes', found: 'there is none', fix: 'add nodes: kubectl get nodes' };
  return nodes.length > 1
    ? { level: 'PASS', what, found: `${nodes.length} nodes` }
    : { level: 'WARN', what, found: 'one node: VMs have nowhere to move', fix: 'add a node' };
}

function storageChecks({ classes }: ClusterView): Check[] {
  const what = 'storage';
  if (classes.length === 0)
    return [
      { level: 'WARN', what, found: 'no StorageClass: only container disks', fix: 'install a CSI driver' },
    ];
  return classes.map(({ metadata, provisioner, volumeBindingMode = 'Immediate' }) => ({
    level: 'PASS',
    what: `StorageClass ${metadata?.name}`,
    found: `${provisioner}, ${volumeBindingMode}; VMs on it migrate if it gives ReadWriteMany claims`,
  }));
}

function kindsCheck({ groups }: ClusterView, group: string, what: string, fix: string): Check {
  return groups.has(group)
    ? { level: 'PASS', what, found: `${group} is served` }
    : { level: 'WARN', what, found: `${group} is not served`, fix };
}
