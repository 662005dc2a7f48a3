/** The API resources that a kubelet reads and writes. */
import type {
  ConfigMap,
  KubernetesObject,
  Lease,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
} from '@podvisor/api';
import { defineResource, type KubeClient } from '@podvisor/kube';

export const pods = defineResource<Pod>('Pod', 'pods', 'v1');
export const nodes = defineResource<Node>('Node', 'nodes', 'v1', 'Cluster');
export const leases = defineResource<Lease>('Lease', 'leases', 'coordination.k8s.io/v1');
export const configMaps = defineResource<ConfigMap>('ConfigMap', 'configmaps', 'v1');
export const secrets = defineResource<Secret>('Secret', 'secrets', 'v1');
export const claims = defineResource<PersistentVolumeClaim>(
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
  'v1',
);
export const persistentVolumes = defineResource<PersistentVolume>(
  'PersistentVolume',
  'persistentvolumes',
  'v1',
  'Cluster',
);
export const serviceAccounts = defineResource<KubernetesObject>('ServiceAccount', 'serviceaccounts', 'v1');

/** What the kubelet needs of a client. */
export type KubeletClient = Pick<
  KubeClient,
  'get' | 'find' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'request'
>;
