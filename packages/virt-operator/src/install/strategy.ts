/**
 * Everything that an installation consists of, in the order in which it must exist: one list for a cluster and for
 * the embedded home. Pure. What is there before is not in it: the namespace, the KubeVirt object, and on a cluster
 * virt-operator itself with the definition of KubeVirt (`operatorObjects`).
 */
import { controllerPolicies, crds, handlerPolicies, type KubernetesObject } from '@podvisor/api';
import { dataVolumeDefinitions } from './data-volumes/definitions.ts';
import { dataVolumesDeployment } from './data-volumes/deployment.ts';
import { handlerDaemonSet } from './daemon-set.ts';
import { budgets, deployments } from './deployments.ts';
import type { Manifest } from './manifest.ts';
import { monitoringObjects } from './monitoring.ts';
import { rbacObjects } from './rbac.ts';
import type { InstallSettings } from './settings.ts';
import { subresourceApi } from './subresource-api.ts';
import { webPageObjects } from './web-page/objects.ts';
import { webhookObjects } from './webhooks.ts';

/** Name of the definition that comes with virt-operator. */
export const KUBEVIRT_CRD = 'kubevirts.kubevirt.io';

export function installStrategy(settings: InstallSettings): Manifest[] {
  const { namespace, components, dataVolumes } = settings;
  const isPods = components.kind === 'pods';
  const objects: KubernetesObject[] = [
    ...crds.filter(({ metadata }) => !isPods || metadata.name !== KUBEVIRT_CRD),
    ...(dataVolumes === 'absent' ? [] : dataVolumeDefinitions()),
    // Before the roles: nobody gets rights that are not yet bounded.
    ...handlerPolicies(namespace),
    ...controllerPolicies(namespace),
    ...rbacObjects(namespace, dataVolumes === 'filled'),
    priorityClass(),
    ...subresourceApi(settings),
    ...webhookObjects(settings),
    ...(isPods
      ? [
          ...monitoringObjects(namespace, components),
          ...budgets(namespace, components),
          ...deployments(namespace, components),
          handlerDaemonSet(namespace, components),
          ...(dataVolumes === 'filled' ? [dataVolumesDeployment(namespace, components)] : []),
          ...(components.webPage ? webPageObjects(namespace, components) : []),
        ]
      : []),
  ];
  return objects.map((object) => ({ ...object }));
}

function priorityClass(): Manifest {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'kubevirt-cluster-critical', labels: { 'kubevirt.io': '' } },
    value: 1_000_000_000,
    globalDefault: false,
    description: 'Pods that virtual machines depend on.',
  };
}
