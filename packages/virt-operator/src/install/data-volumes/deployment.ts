/** Who fills DataVolumes, as a Deployment: no listener, no Secret; the Pods that it makes do the work. Pure. */
import { dataVolumesAccount } from '@podvisor/api';
import type { Manifest } from '../manifest.ts';
import { imageOf, podTemplate, UNPRIVILEGED_CONTAINER, UNPRIVILEGED_POD } from '../pod-template.ts';
import type { PodComponents } from '../settings.ts';

export const DATA_VOLUMES_DEPLOYMENT = 'virt-data-volumes';
const LIB = '/usr/lib/podvisor';

export function dataVolumesDeployment(namespace: string, components: PodComponents): Manifest {
  const name = DATA_VOLUMES_DEPLOYMENT;
  const image = imageOf(components, 'virt-importer');
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { 'kubevirt.io': name } },
    spec: {
      // One leads; imports go on while nobody does, because their Pods do the work.
      replicas: 1,
      selector: { matchLabels: { 'kubevirt.io': name } },
      template: podTemplate(components, {
        name,
        serviceAccount: dataVolumesAccount,
        placement: components.infraPlacement,
        spec: {
          securityContext: UNPRIVILEGED_POD,
          containers: [
            {
              name,
              image,
              imagePullPolicy: components.pullPolicy,
              command: [
                `${LIB}/node`,
                '--max-semi-space-size=1',
                '--single-threaded-gc',
                `${LIB}/data-volumes.mjs`,
              ],
              args: [
                `--namespace=${namespace}`,
                `--worker-image=${image}`,
                `--worker-pull-policy=${components.pullPolicy}`,
                ...(components.userNamespaces ? ['--worker-user-namespace'] : []),
              ],
              resources: { requests: { cpu: '5m', memory: '80Mi' } },
              securityContext: UNPRIVILEGED_CONTAINER,
            },
          ],
        },
      }),
    },
  };
}
