/** The informers of virt-controller, with the indexes that its controllers look things up by. */
import {
  annotations,
  type KubeVirt,
  labels,
  type Lease,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { Informer, type KubeClient, type ListWatcher, type Log, resources } from '@podvisor/kube';
import { DataVolumeCache } from './data-volume-cache.ts';
import { controllerOf } from './watch/ownership.ts';
import { volumeClaims } from './watch/vm/data-volumes.ts';
import { claimOf } from './watch/vmi/volumes.ts';

/** Index names. */
export const BY_CLAIM = 'claim';
export const BY_MANAGER = 'manager';
export const BY_NODE = 'node';

export interface Caches {
  readonly vms: Informer<VirtualMachine>;
  readonly vmis: Informer<VirtualMachineInstance>;
  readonly pods: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly migrations: Informer<VirtualMachineInstanceMigration>;
  readonly kubeVirts: Informer<KubeVirt>;
  /** Leases of the install namespace, among them those of the virt-handlers. */
  readonly leases: Informer<Lease>;
  readonly dataVolumes: DataVolumeCache;
}

/** What the caches use of the API. */
export type CacheClient = ListWatcher & Pick<KubeClient, 'list'>;

export function createCaches(client: CacheClient, namespace: string, log: Log): Caches {
  const common = { client, log };
  return {
    vms: new Informer({
      ...common,
      resource: resources.virtualMachines,
      indexers: {
        [BY_CLAIM]: (vm) => volumeClaims(vm).map((name) => `${vm.metadata?.namespace}/${name}`),
      },
    }),
    vmis: new Informer({
      ...common,
      resource: resources.virtualMachineInstances,
      indexers: {
        [BY_CLAIM]: (vmi) =>
          (vmi.spec.volumes ?? [])
            .flatMap((volume) => claimOf(volume) ?? [])
            .map((name) => `${vmi.metadata?.namespace}/${name}`),
        [BY_NODE]: (vmi) => (vmi.status?.nodeName === undefined ? [] : [vmi.status.nodeName]),
      },
    }),
    pods: new Informer({
      ...common,
      resource: resources.pods,
      labelSelector: `${labels.app}=virt-launcher`,
      transform: projectPod,
      indexers: { [BY_MANAGER]: (pod) => [controllerOf(pod)?.uid ?? ''] },
    }),
    claims: new Informer({ ...common, resource: resources.persistentVolumeClaims }),
    migrations: new Informer({ ...common, resource: resources.virtualMachineInstanceMigrations }),
    kubeVirts: new Informer({ ...common, resource: resources.kubeVirts, namespace }),
    leases: new Informer({ ...common, resource: resources.leases, namespace }),
    dataVolumes: new DataVolumeCache(client, log),
  };
}

/** Launcher Pods are large and never written back: only what is read is kept. */
function projectPod(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, ownerReferences } =
    pod.metadata;
  const overhead = pod.metadata.annotations?.[annotations.memoryOverheadBytes];
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
      annotations: overhead === undefined ? undefined : { [annotations.memoryOverheadBytes]: overhead },
    },
    spec: {
      nodeName: pod.spec.nodeName,
      containers: pod.spec.containers.map((container) => ({ name: container.name, image: container.image })),
    },
    status: pod.status,
  };
}
