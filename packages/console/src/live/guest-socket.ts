/** The address of a guest's console or screen. */
export function guestSocket(namespace: string, name: string, what: 'console' | 'vnc'): string {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}/${what}`;
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${location.host}/k8s${path}?share=true`;
}

/** The one protocol that both speak. */
export const GUEST_PROTOCOL = 'plain.kubevirt.io';
