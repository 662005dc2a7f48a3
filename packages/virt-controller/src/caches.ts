/** The informers of virt-controller, with the indexes that its controllers look things up by. */
import {
  isFinalMigrationPhase,
  annotations,
  claimName,
  type KubernetesObject,
  type KubeVirt,
  labels,
  type Lease,
  type MigrationPolicy,
  type Namespace,
  type Node,
  nodeLabelPrefixes,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
  type StorageProfile,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VirtualMachineInstanceReplicaSet,
  type VirtualMachinePool,
  type VolumeSnapshotClass,
  volumesOfPod,
  type DataVolume,
} from '@podvisor/api';
import { Informer, keyOf, type KubeClient, type ListWatcher, type Log, resources } from '@podvisor/kube';
import { OptionalCache } from './optional-cache.ts';
import {
  cdiConfigs,
  type CdiConfig,
  migrationPolicies,
  pools,
  replicaSets,
  type ResourceQuota,
  resourceQuotas,
} from './resources.ts';
import { vmiKeyOf } from './watch/migration/controller.ts';
import { controllerOf, isControlledBy, ownerKinds } from './watch/ownership.ts';
import { GUEST_CONTAINER } from './watch/vm/place-to-grow.ts';
import { isOwnPod } from './watch/vmi/own-pods.ts';
import { LEASE_WATCH } from './watch/node-loss/watch-pod.ts';
import { stateClaimName } from './watch/backend-storage/state-claim.ts';
import { volumeClaims } from './watch/vm/volumes/data-volumes.ts';
import { NETWORK_INFO } from '@podvisor/translate';
import { namesDevices, POD_NETWORKS } from './watch/vmi/pod-networks.ts';

type Container = Pod['spec']['containers'][number];

/** Index names. */
export const BY_CLAIM = 'claim';
/** By `managerKey` of the owner that manages them. */
export const BY_MANAGER = 'manager';
export const BY_NODE = 'node';
export const BY_NAMESPACE = 'namespace';
/** Migrations by the `namespace/name` of their VMI. */
export const BY_VMI = 'vmi';
/** Migrations that have not ended, under the one key `OPEN`: of those that have, there may be thousands. */
const BY_STATE = 'state';
const OPEN = 'open';

/** Key in `BY_MANAGER`: an owner manages objects of its own namespace only, whatever those of others say. */
export const managerKey = (namespace: string | undefined, uid: string | undefined): string =>
  `${namespace}/${uid}`;

/** Key in `BY_MANAGER` of what nobody manages, by namespace. */
export const unmanagedIn = (namespace: string | undefined): string => `unmanaged:${namespace}`;

export interface Caches {
  readonly vms: Informer<VirtualMachine>;
  readonly vmis: Informer<VirtualMachineInstance>;
  readonly pods: Informer<Pod>;
  /** Pods that hold the claims of running guests on their nodes. */
  readonly attachmentPods: Informer<Pod>;
  /** Pods that watch the leases of lost guests. */
  readonly leaseWatches: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly migrations: Informer<VirtualMachineInstanceMigration>;
  readonly migrationPolicies: Informer<MigrationPolicy>;
  readonly nodes: Informer<Node>;
  readonly replicaSets: Informer<VirtualMachineInstanceReplicaSet>;
  readonly pools: Informer<VirtualMachinePool>;
  readonly namespaces: Informer<Namespace>;
  readonly quotas: Informer<ResourceQuota>;
  readonly kubeVirts: Informer<KubeVirt>;
  /** Leases of the install namespace, among them those of the virt-handlers. */
  readonly leases: Informer<Lease>;
  readonly dataVolumes: OptionalCache<DataVolume>;
  readonly cdiConfigs: OptionalCache<CdiConfig>;
  readonly storageClasses: Informer<StorageClass>;
  readonly snapshotClasses: OptionalCache<VolumeSnapshotClass>;
  readonly storageProfiles: OptionalCache<StorageProfile>;
}

/** What the caches use of the API. */
export type CacheClient = ListWatcher & Pick<KubeClient, 'list'>;

/** `kubeVirts`: a cache that is followed already. */
export function createCaches(
  client: CacheClient,
  namespace: string,
  log: Log,
  kubeVirts?: Informer<KubeVirt>,
): Caches {
  const common = { client, log };
  return {
    vms: new Informer({
      ...common,
      resource: resources.virtualMachines,
      indexers: {
        [BY_CLAIM]: (vm) => volumeClaims(vm).map((name) => `${vm.metadata?.namespace}/${name}`),
        [BY_MANAGER]: managerKeys,
      },
    }),
    vmis: new Informer({
      ...common,
      resource: resources.virtualMachineInstances,
      indexers: {
        [BY_CLAIM]: (vmi) =>
          [...volumesOfPod(vmi.spec).map((volume) => claimName(volume)), stateClaimName(vmi)]
            .filter((name) => name !== undefined)
            .map((name) => `${vmi.metadata?.namespace}/${name}`),
        [BY_MANAGER]: managerKeys,
        [BY_NODE]: (vmi) => (vmi.status?.nodeName === undefined ? [] : [vmi.status.nodeName]),
      },
    }),
    pods: new Informer({
      ...common,
      resource: resources.pods,
      labelSelector: `${labels.app}=virt-launcher`,
      transform: projectPod,
      indexers: { [BY_MANAGER]: managed },
    }),
    attachmentPods: new Informer({
      ...common,
      resource: resources.pods,
      labelSelector: `${labels.app}=hotplug-disk`,
      transform: projectAttachmentPod,
      indexers: { [BY_MANAGER]: managed },
    }),
    leaseWatches: new Informer({
      ...common,
      resource: resources.pods,
      labelSelector: `${labels.app}=${LEASE_WATCH}`,
    }),
    claims: new Informer({
      ...common,
      resource: resources.persistentVolumeClaims,
      indexers: { [BY_MANAGER]: managed },
    }),
    migrations: new Informer({
      ...common,
      resource: resources.virtualMachineInstanceMigrations,
      indexers: {
        [BY_VMI]: (migration) => [vmiKeyOf(migration)],
        [BY_STATE]: ({ status }) => (isFinalMigrationPhase(status?.phase) ? [] : [OPEN]),
      },
    }),
    migrationPolicies: new Informer({ ...common, resource: migrationPolicies }),
    nodes: new Informer({ ...common, resource: resources.nodes, transform: projectNode }),
    replicaSets: new Informer({
      ...common,
      resource: replicaSets,
      indexers: { [BY_NAMESPACE]: namespaceKeys },
    }),
    pools: new Informer({ ...common, resource: pools, indexers: { [BY_NAMESPACE]: namespaceKeys } }),
    namespaces: new Informer({ ...common, resource: resources.namespaces, transform: projectNamespace }),
    quotas: new Informer({
      ...common,
      resource: resourceQuotas,
      indexers: { [BY_NAMESPACE]: namespaceKeys },
    }),
    kubeVirts: kubeVirts ?? new Informer({ ...common, resource: resources.kubeVirts, namespace }),
    leases: new Informer({ ...common, resource: resources.leases, namespace }),
    dataVolumes: new OptionalCache(client, log, resources.dataVolumes),
    cdiConfigs: new OptionalCache(client, log, cdiConfigs),
    storageClasses: new Informer({ ...common, resource: resources.storageClasses }),
    snapshotClasses: new OptionalCache(client, log, resources.volumeSnapshotClasses),
    storageProfiles: new OptionalCache(client, log, resources.storageProfiles),
  };
}

export function namespaceKeys({ metadata }: KubernetesObject): readonly string[] {
  return [metadata?.namespace ?? ''];
}

export function managed(object: KubernetesObject): readonly string[] {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [managerKey(object.metadata?.namespace, owner.uid)];
}

function managerKeys(object: KubernetesObject): readonly string[] {
  return controllerOf(object) === undefined ? [unmanagedIn(object.metadata?.namespace)] : managed(object);
}

/** Objects of the cache that `owner` manages, as far as they say. */
export function managedBy<T extends KubernetesObject>(
  informer: Informer<T>,
  { metadata }: KubernetesObject,
): readonly T[] {
  return informer.byIndex(BY_MANAGER, managerKey(metadata?.namespace, metadata?.uid));
}

/** Launcher Pods of the VMI that this controller has made. */
export function ownPodsOf(caches: Caches, vmi: VirtualMachineInstance): readonly Pod[] {
  return managedBy(caches.pods, vmi).filter((pod) => isOwn(caches, pod, vmi));
}

/** This controller has made the Pod for the VMI. */
export function isOwn({ migrations }: Caches, pod: Pod, vmi: VirtualMachineInstance): boolean {
  return isOwnPod(pod, vmi, migrations.byIndex(BY_VMI, keyOf(vmi)));
}

/** Attachment Pods of a launcher Pod. */
export function attachmentPodsOf({ attachmentPods }: Caches, launcher: Pod): readonly Pod[] {
  return managedBy(attachmentPods, launcher).filter((pod) => isControlledBy(pod, launcher, ownerKinds.pod));
}

/** Of a namespace only its labels are read. */
function projectNamespace({ metadata }: Namespace): Namespace {
  const { name, uid, resourceVersion, labels: own } = metadata ?? {};
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid, resourceVersion, labels: own } };
}

/**
 * Of a node: its labels, what keeps Pods away from it, what runs them, and whether somebody said that it is off. Its
 * heartbeats change none of these.
 */
function projectNode({ metadata, spec, status }: Node): Node {
  const { name, uid, resourceVersion, labels: own } = metadata;
  const { kubeletVersion = '', containerRuntimeVersion = '' } = status?.nodeInfo ?? {};
  const fence = metadata.annotations?.[annotations.fence];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid,
      resourceVersion,
      labels: own,
      ...(fence === undefined ? {} : { annotations: { [annotations.fence]: fence } }),
    },
    spec: { unschedulable: spec?.unschedulable, taints: spec?.taints },
    status: {
      nodeInfo: { kubeletVersion, containerRuntimeVersion },
      // Whether a guest can grow where it is.
      allocatable: { memory: status?.allocatable?.['memory'] ?? '0' },
    },
  };
}

/** Annotations of a launcher Pod that are read. */
const READ_ANNOTATIONS = [
  annotations.ephemeralProvisioning,
  annotations.evictionInProgress,
  annotations.memoryOverheadBytes,
  annotations.migrationJobName,
  annotations.migrationTargetReadyTimestamp,
  NETWORK_INFO,
  POD_NETWORKS,
];

/** Labels that say what a Pod was made for. */
const IDENTITY_LABELS: readonly string[] = [labels.createdBy, labels.migrationJobUID];

/** What a guest's CPU asks of a node: goes along with every move. */
const CPU_SELECTORS = [
  nodeLabelPrefixes.cpuModelMigration,
  nodeLabelPrefixes.cpuFeature,
  nodeLabelPrefixes.cpuVendor,
];

/** Launcher Pods are large and never written back: only what is read is kept. */
function projectPod(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp } = pod.metadata;
  const { ownerReferences, finalizers } = pod.metadata;
  const kept = only(
    pod.metadata.annotations,
    (key, value) => READ_ANNOTATIONS.includes(key) || namesDevices(key, value),
  );
  const marks = only(pod.metadata.labels, (key) => IDENTITY_LABELS.includes(key));
  const job = marks?.[labels.migrationJobUID];
  const nodeSelector = only(pod.spec.nodeSelector, (key) =>
    CPU_SELECTORS.some((prefix) => key.startsWith(prefix)),
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      creationTimestamp,
      deletionTimestamp,
      ownerReferences,
      ...(finalizers && { finalizers }),
      ...(marks && { labels: marks }),
      annotations: kept,
    },
    spec: {
      nodeName: pod.spec.nodeName,
      ...(nodeSelector && { nodeSelector }),
      // A migration's target must have the claims that its VMI names.
      ...(job && {
        volumes: (pod.spec.volumes ?? []).filter(({ persistentVolumeClaim: c }) => c !== undefined),
      }),
      containers: pod.spec.containers.map(({ name: own, image, resources }) => ({
        name: own,
        image,
        ...(own === GUEST_CONTAINER && { resources: sizesOf(resources) }),
      })),
    },
    status: pod.status,
  };
}

/** CPU and memory; devices are not read. */
function sizesOf(found: Container['resources']): Container['resources'] {
  const sizes = (all: Readonly<Record<string, string | number>> | undefined) => {
    const { cpu, memory } = all ?? {};
    return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
  };
  return { requests: sizes(found?.requests), limits: sizes(found?.limits) };
}

/** Of an attachment Pod, what it holds and how it stands. */
function projectAttachmentPod(pod: Pod): Pod {
  return {
    ...projectPod(pod),
    spec: { nodeName: pod.spec.nodeName, containers: [], volumes: pod.spec.volumes },
  };
}

/** The entries of a map whose keys are wanted; undefined when there are none. */
function only(
  map: Readonly<Record<string, string>> | undefined,
  wanted: (key: string, value: string) => boolean,
): Readonly<Record<string, string>> | undefined {
  const kept = Object.entries(map ?? {}).filter(([key, value]) => wanted(key, value));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Migrations that have not ended. */
export function openMigrations({
  migrations,
}: Pick<Caches, 'migrations'>): readonly VirtualMachineInstanceMigration[] {
  return migrations.byIndex(BY_STATE, OPEN);
}
