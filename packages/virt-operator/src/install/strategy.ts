/**
 * Everything that an installation consists of, in the order in which it must exist: one list for a cluster and for
 * the embedded home. Pure. The namespace and the KubeVirt object itself are not in it: they are there before.
 */
import { controllerPolicies, crds, handlerPolicies, type KubernetesObject } from '@podvisor/api';
import type { Manifest } from './manifest.ts';
import { rbacObjects } from './rbac.ts';
import type { InstallSettings } from './settings.ts';
import { subresourceApi } from './subresource-api.ts';
import { webhookObjects } from './webhooks.ts';

export function installStrategy(settings: InstallSettings): Manifest[] {
  const { namespace } = settings;
  const objects: KubernetesObject[] = [
    ...crds,
    // Before the roles: nobody gets rights that are not yet bounded.
    ...handlerPolicies(namespace),
    ...controllerPolicies(namespace),
    ...rbacObjects(namespace),
    priorityClass(),
    ...subresourceApi(settings),
    ...webhookObjects(settings),
  ];
  return objects.map((object) => ({ ...object }));
}

function priorityClass(): Manifest {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'kubevirt-cluster-critical' },
    value: 1_000_000_000,
    globalDefault: false,
    description: 'Pods that virtual machines depend on.',
  };
}
