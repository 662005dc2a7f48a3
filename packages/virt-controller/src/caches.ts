/** The informers of virt-controller, with the indexes that its controllers look things up by. */
import {
  claimName,
  type DataVolume,
  isFinalMigrationPhase,
  type KubeVirt,
  labels,
  type Lease,
  type MigrationPolicy,
  type Namespace,
  type Node,
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
} from '@podvisor/api';
import { Informer, keyOf, type KubeClient, type ListWatcher, type Log, resources } from '@podvisor/kube';
import {
  BY_CLAIM,
  BY_MANAGER,
  BY_NAMESPACE,
  BY_NODE,
  BY_STATE,
  BY_VMI,
  managed,
  managedBy,
  managerKeys,
  namespaceKeys,
  OPEN,
} from './caches/indexes.ts';
import { projectAttachmentPod, projectNamespace, projectNode, projectPod } from './caches/projections.ts';
import { OptionalCache } from './optional-cache.ts';
import {
  type CdiConfig,
  cdiConfigs,
  migrationPolicies,
  pools,
  replicaSets,
  type ResourceQuota,
  resourceQuotas,
} from './resources.ts';
import { stateClaimName } from './watch/backend-storage/state-claim.ts';
import { vmiKeyOf } from './watch/migration/controller.ts';
import { LEASE_WATCH } from './watch/node-loss/watch-pod.ts';
import { isControlledBy, ownerKinds } from './watch/ownership.ts';
import { volumeClaims } from './watch/vm/volumes/data-volumes.ts';
import { isOwnPod } from './watch/vmi/own-pods.ts';

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

/** Migrations that have not ended. */
export function openMigrations({
  migrations,
}: Pick<Caches, 'migrations'>): readonly VirtualMachineInstanceMigration[] {
  return migrations.byIndex(BY_STATE, OPEN);
}
