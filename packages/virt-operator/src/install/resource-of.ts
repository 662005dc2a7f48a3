/** Which resource of the API an installed object is of. Pure. */
import type { KubernetesObject } from '@podvisor/api';
import { defineResource, type Resource } from '@podvisor/kube';

const CLUSTER_SCOPED = new Set([
  'Namespace',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'StorageClass',
  'PriorityClass',
  'VolumeSnapshotClass',
  'CDIConfig',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]);

export function resourceOf(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): Resource {
  const kind = object.kind ?? '';
  // Regular English plurals cover every kind that is installed.
  const plural = kind
    .toLowerCase()
    .replace(/(s|x|ch)$/, '$1es')
    .replace(/y$/, 'ies')
    .concat(/(s|x|ch|y)$/i.test(kind) ? '' : 's');
  return defineResource(
    kind,
    plural,
    object.apiVersion ?? 'v1',
    CLUSTER_SCOPED.has(kind) ? 'Cluster' : 'Namespaced',
  );
}
