/** What a namespace lacks. Pure. */
import type { ConfigMap, KubernetesObject, Namespace } from '@podvisor/api';

export const ROOT_CA = 'kube-root-ca.crt';

export type Part =
  | { readonly kind: 'service-account'; readonly object: KubernetesObject }
  | { readonly kind: 'new-root-ca' | 'changed-root-ca'; readonly object: ConfigMap };

/** What is there; undefined is what is not. */
export interface NamespaceParts {
  readonly namespace: Namespace | undefined;
  readonly serviceAccount: KubernetesObject | undefined;
  readonly rootCa: ConfigMap | undefined;
  /** PEM of the CA that Pods are to trust. */
  readonly clusterCa: string;
}

export function missingParts({ namespace, serviceAccount, rootCa, clusterCa }: NamespaceParts): Part[] {
  if (namespace?.metadata === undefined || namespace.metadata.deletionTimestamp !== undefined) return [];
  const parts: Part[] = [];
  const metadata = { namespace: namespace.metadata.name };
  if (serviceAccount === undefined)
    parts.push({ kind: 'service-account', object: { metadata: { ...metadata, name: 'default' } } });
  const data = { 'ca.crt': clusterCa };
  if (rootCa === undefined) {
    const annotations = {
      'kubernetes.io/description': 'The certificate of the API server that Pods of this namespace trust.',
    };
    parts.push({
      kind: 'new-root-ca',
      object: { metadata: { ...metadata, name: ROOT_CA, annotations }, data },
    });
  } else if (rootCa.data?.['ca.crt'] !== clusterCa) {
    parts.push({ kind: 'changed-root-ca', object: { ...rootCa, data } });
  }
  return parts;
}
