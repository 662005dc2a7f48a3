/** Paths of the aggregated API `subresources.kubevirt.io/v1`. */
export function subresourcePath(
  kind: 'virtualmachines' | 'virtualmachineinstances',
  namespace: string,
  name: string,
  verb: string,
): string {
  const parts = ['namespaces', namespace, kind, name].map(encodeURIComponent).join('/');
  return `/apis/subresources.kubevirt.io/v1/${parts}/${verb}`;
}
