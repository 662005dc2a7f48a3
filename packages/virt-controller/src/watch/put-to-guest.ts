import type { VirtualMachineInstance } from '@podvisor/api';
import type { KubeClient } from '@podvisor/kube';

/** Asks something of a guest by a subresource of its VMI, as a user would: virt-controller talks to nobody but the API. */
export async function putToGuest(
  client: Pick<KubeClient, 'raw'>,
  { metadata }: VirtualMachineInstance,
  verb: string,
  body: unknown,
  signal: AbortSignal,
): Promise<void> {
  const root = '/apis/subresources.kubevirt.io/v1';
  const path = `${root}/namespaces/${metadata?.namespace}/virtualmachineinstances/${metadata?.name}/${verb}`;
  const headers = { 'content-type': 'application/json' };
  await client.raw({ method: 'PUT', path, headers, body: JSON.stringify(body) }, signal);
}
