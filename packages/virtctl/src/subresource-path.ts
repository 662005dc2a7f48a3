/** Paths of the aggregated API `subresources.kubevirt.io/v1`. */
export type SubresourceKind = 'virtualmachines' | 'virtualmachineinstances';

export function subresourcePath(
  kind: SubresourceKind,
  namespace: string,
  name: string,
  verb: string,
): string {
  const parts = ['namespaces', namespace, kind, name].map(encodeURIComponent).join('/');
  return `/apis/subresources.kubevirt.io/v1/${parts}/${verb}`;
}
