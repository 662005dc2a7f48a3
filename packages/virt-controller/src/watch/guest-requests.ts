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
  const headers = { 'content-type': 'application/json' };
  const path = pathOf(metadata, verb);
  await client.raw({ method: 'PUT', path, headers, body: JSON.stringify(body) }, signal);
}

/** What a question to the guest's node is answered with, as JSON. */
export async function askGuest(
  client: Pick<KubeClient, 'raw'>,
  { metadata }: VirtualMachineInstance,
  question: string,
  signal: AbortSignal,
): Promise<unknown> {
  const { body } = await client.raw({ method: 'GET', path: pathOf(metadata, question) }, signal);
  return JSON.parse(body.toString('utf8'));
}

function pathOf(metadata: VirtualMachineInstance['metadata'], verb: string): string {
  const root = '/apis/subresources.kubevirt.io/v1';
  return `${root}/namespaces/${metadata?.namespace}/virtualmachineinstances/${metadata?.name}/${verb}`;
}
