/** `podvisor cluster doctor`: what a cluster has and lacks for VMs, each with the fix. Needs nothing to be installed. */
import type { KubernetesObject, KubeVirt, Node } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { type KubeClient, type Resource, resources } from '@podvisor/kube';
import { unsupportedVersion, type Version } from '@podvisor/virt-operator';
import { type Check, printChecks } from '../doctor/doctor.ts';
import { type KubeletFacts, readApiServerGate, readKubelets } from './kubelet-metrics.ts';
import { containerDisksCheck, nodeChecks } from './node-checks.ts';
import { storageChecks, type StorageView } from './storage-checks.ts';
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
export interface ClusterView extends InstalledKubeVirt, StorageView {
  readonly version: Version;
  readonly nodes: readonly Node[];
  readonly groups: ReadonlySet<string>;
  readonly kubevirts: readonly KubeVirt[];
  /** What the kubelets say, by node. */
  readonly kubelets?: ReadonlyMap<string, KubeletFacts>;
  /** Whether the API server's gate ImageVolume is on; undefined: it did not say. */
  readonly apiServerImageVolumes?: boolean | undefined;
}

export async function diagnoseCluster(client: KubeClient, signal: AbortSignal): Promise<readonly Check[]> {
  const [version, nodes, classes, apis, installed, kubevirts] = await Promise.all([
    client.request<Version>({ method: 'GET', path: '/version' }, signal),
    client.list(resources.nodes, {}, signal),
    client.list(resources.storageClasses, {}, signal),
    client.request<{ groups: { name: string }[] }>({ method: 'GET', path: '/apis' }, signal),
    findVisible(client, signal),
    listIfVisible(client, resources.kubeVirts, signal),
  ]);
  const names = nodes.items.map(({ metadata }) => metadata.name ?? '');
  const [kubelets, apiServerImageVolumes, profiles, snapshotClasses] = await Promise.all([
    readKubelets(client, names, signal),
    readApiServerGate(client, signal),
    listIfVisible(client, resources.storageProfiles, signal),
    listIfVisible(client, resources.volumeSnapshotClasses, signal),
  ]);
  return clusterChecks({
    kubelets,
    apiServerImageVolumes,
    ...(profiles === undefined ? {} : { profiles }),
    ...(snapshotClasses === undefined
      ? {}
      : { snapshotDrivers: new Set(snapshotClasses.map(({ driver }) => driver)) }),
    version,
    nodes: nodes.items,
    classes: classes.items,
    groups: new Set(apis.groups.map(({ name }) => name)),
    kubevirts: kubevirts ?? [],
    ...installed,
  });
}

/** Undefined: the kind is not served, or not shown to whoever asks. */
async function listIfVisible<T extends KubernetesObject>(
  client: KubeClient,
  resource: Resource<T>,
  signal: AbortSignal,
): Promise<readonly T[] | undefined> {
  try {
    return (await client.list(resource, {}, signal)).items;
  } catch (error) {
    if (isStatus(error, 'NotFound') || isStatus(error, 'Forbidden')) return undefined;
    throw error;
  }
}

/** Pure. */
export function clusterChecks(view: ClusterView): readonly Check[] {
  return [
    versionCheck(view),
    ownerCheck(view),
    ...view.nodes.flatMap((node) =>
      nodeChecks(node, {
        isEmulated: isEmulationAllowed(view),
        cgroupVersion: view.kubelets?.get(node.metadata.name ?? '')?.cgroupVersion,
      }),
    ),
    nodesCheck(view),
    containerDisksCheck(view.nodes, gatesOff(view), isImageVolumeUnwanted(view)),
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
    kindsCheck(
      view,
      'monitoring.coreos.com',
      'metrics and alerts',
      'install the Prometheus operator; virt-operator then brings what it needs by itself',
    ),
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

/** Whose gate ImageVolume is off though its version has it on. */
function gatesOff({ kubelets, apiServerImageVolumes }: ClusterView): readonly string[] {
  const nodes = [...(kubelets ?? [])].filter(([, { imageVolumes }]) => imageVolumes === false);
  return [...(apiServerImageVolumes === false ? ['the API server'] : []), ...nodes.map(([name]) => name)];
}

function isImageVolumeUnwanted({ kubevirts }: ClusterView): boolean {
  return kubevirts.some(
    ({ spec }) =>
      spec.configuration?.developerConfiguration?.disabledFeatureGates?.includes('ImageVolume') === true,
  );
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

function kindsCheck({ groups }: ClusterView, group: string, what: string, fix: string): Check {
  return groups.has(group)
    ? { level: 'PASS', what, found: `${group} is served` }
    : { level: 'WARN', what, found: `${group} is not served`, fix };
}
