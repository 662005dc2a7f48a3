/**
 * The key of the state that a guest of this node is about to write or to load. virt-api has the installation's key and
 * gives out this one alone, because the VMI is on this node.
 */
import {
  needsStateKey,
  STATE_KEY_SUBRESOURCE,
  type StateKeyAnswer,
  type VirtualMachineInstance,
} from '@podvisor/api';
import type { KubeClient } from '@podvisor/kube';

/** Nothing when no state is written or loaded. Throws while virt-api does not answer: a state is not written in the open. */
export async function stateKeyOf(
  client: Pick<KubeClient, 'request'>,
  vmi: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<StateKeyAnswer> {
  if (!needsStateKey(vmi)) return {};
  const { namespace, name } = vmi.metadata ?? {};
  const root = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances`;
  const path = `${root}/${name}/${STATE_KEY_SUBRESOURCE}`;
  const { stateKey } = await client.request<StateKeyAnswer>({ method: 'GET', path }, signal);
  return stateKey === undefined ? {} : { stateKey };
}
