/** Every namespace has a service account `default` and the cluster's CA, from its first moment on. */
import type { ConfigMap, KubernetesObject, Namespace } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { controller, type Informer, keyOf, resources, type TableController, type Wake } from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { missingParts, type NamespaceParts, type Part, ROOT_CA } from './reconcile.ts';

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
  const wakes = (wake: Wake): void => {
    const add = (namespace: Namespace): void => wake(keyOf(namespace));
    const again = ({ metadata }: KubernetesObject): void => wake(metadata?.namespace ?? '');
    namespaces.on({ add, update: add });
    serviceAccounts.on({ delete: again });
    configMaps.on({ update: again, delete: again });
  };
  const observe = (name: string): NamespaceParts => ({
    namespace: namespaces.get(name),
    serviceAccount: serviceAccounts.get(`${name}/default`),
    rootCa: configMaps.get(`${name}/${ROOT_CA}`),
    clusterCa,
  });
  const apply = async (
    missing: readonly Part[],
    _: NamespaceParts,
    signal: AbortSignal,
  ): Promise<undefined> => {
    try {
      for (const part of missing) {
        if (part.kind === 'service-account')
          await client.create(resources.serviceAccounts, part.object, {}, signal);
        else if (part.kind === 'new-root-ca')
          await client.create(resources.configMaps, part.object, {}, signal);
        else await client.update(resources.configMaps, part.object, {}, signal);
      }
    } catch (error) {
      // Our cache was behind, or the namespace began to end: its next event brings us back.
      if (!isStatus(error, 'AlreadyExists') && !isStatus(error, 'NotFound') && !isStatus(error, 'Forbidden'))
        throw error;
    }
  };
  return controller({
    name: 'service-account',
    wakes: [wakes],
    steps: { observe, plan: missingParts, apply },
  });
}
