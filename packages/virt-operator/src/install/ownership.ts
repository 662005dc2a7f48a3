/**
 * Marks on everything that is installed: KubeVirt's labels and annotations, which clients know, and one of ours, by
 * which we tell our objects from those of a KubeVirt that is already there. Pure.
 */
import type { KubernetesObject, KubeVirt } from '@podvisor/api';
import type { Deployment } from '../status/status.ts';
import type { Manifest } from './manifest.ts';

/** Its value is the namespace of the installation. */
export const OWNER_LABEL = 'operator.podvisor.io/installed-in';

export function owned(
  object: Manifest,
  kubevirt: KubeVirt,
  deployment: Pick<Deployment, 'version' | 'registry' | 'id'>,
): Manifest {
  const { productComponent = 'kubevirt', productName, productVersion } = kubevirt.spec;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: {
        ...object.metadata?.labels,
        'app.kubernetes.io/managed-by': 'virt-operator',
        'app.kubernetes.io/component': productComponent,
        ...(productName === undefined ? {} : { 'app.kubernetes.io/part-of': productName }),
        ...(productVersion === undefined ? {} : { 'app.kubernetes.io/version': productVersion }),
        [OWNER_LABEL]: kubevirt.metadata?.namespace ?? '',
      },
      annotations: {
        ...object.metadata?.annotations,
        'kubevirt.io/install-strategy-version': deployment.version,
        'kubevirt.io/install-strategy-registry': deployment.registry,
        'kubevirt.io/install-strategy-identifier': deployment.id,
      },
    },
  };
}

export function isOwned(object: KubernetesObject, namespace: string): boolean {
  return object.metadata?.labels?.[OWNER_LABEL] === namespace;
}

/** A merge patch by which an object is nobody's. */
export function unmarked(): object {
  return { metadata: { labels: { [OWNER_LABEL]: null, 'app.kubernetes.io/managed-by': null } } };
}

/** `Deployment kubevirt/virt-api`: names an object to people, and tells objects apart. */
export function nameOf({ kind, metadata }: KubernetesObject): string {
  const { namespace, name } = metadata ?? {};
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
