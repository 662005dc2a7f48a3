/** Every namespace has a service account `default` and the cluster's CA, from its first moment on. */
import type { ConfigMap, KubernetesObject, Namespace } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { type Informer, keyOf, resources, type TableController, type Wake } from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { missingParts, ROOT_CA } from './reconcile.ts';

/** Config maps are many and may be large: those of others are none of our business. */
export const ROOT_CA_ONLY = { fieldSelector: `metadata.name=${ROOT_CA}` };

export interface ServiceAccountControllerOptions extends ControllerOptions {
  readonly namespaces: Informer<Namespace>;
  readonly serviceAccounts: Informer<KubernetesObject>;
  /** `ROOT_CA_ONLY`. */
  readonly configMaps: Informer<ConfigMap>;
  /** PEM. */
  readonly clusterCa: string;
}

export function serviceAccountController(options: ServiceAccountControllerOptions): TableController {
  const { client, namespaces, serviceAccounts, configMaps, clusterCa } = options;
  const connect = (wake: Wake): void => {
    const add = (namespace: Namespace): void => wake(keyOf(namespace));
    const again = ({ metadata }: KubernetesObject): void => wake(metadata?.namespace ?? '');
    namespaces.on({ add, update: add });
    serviceAccounts.on({ delete: again });
    configMaps.on({ update: again, delete: again });
  };
  const reconcile = async (name: string, end: AbortSignal): Promise<void> => {
    const wanted = missingParts(
      namespaces.get(name),
      serviceAccounts.get(`${name}/default`),
      configMaps.get(`${name}/${ROOT_CA}`),
      clusterCa,
    );
    try {
      for (const part of wanted) {
        if (part.kind === 'service-account')
          await client.create(resources.serviceAccounts, part.object, {}, end);
        else if (part.kind === 'new-root-ca') await client.create(resources.configMaps, part.object, {}, end);
        else await client.update(resources.configMaps, part.object, {}, end);
      }
    } catch (error) {
      // Our cache was behind, or the namespace began to end: its next event brings us back.
      if (!isStatus(error, 'AlreadyExists') && !isStatus(error, 'NotFound') && !isStatus(error, 'Forbidden'))
        throw error;
    }
  };
  return { name: 'service-account', workers: 4, connect, reconcile };
}
