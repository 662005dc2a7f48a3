/**
 * The key of one hibernated state, for the node that the guest is on. The installation's key is virt-api's alone: a node
 * that was taken over gets the keys of the states that its own guests are written to or wake from, and of no others.
 * Which those are, only virt-controller says (handlerPolicies). Pure.
 *
 * The key is made of the installation's key, the state's identity and its namespace. The launcher gets this one alone,
 * the claim and the API none: who has only the claim cannot read the guest's memory, and a state that was carried to
 * another namespace cannot be woken there.
 */
import { hkdfSync } from 'node:crypto';
import { NODE_NAME_EXTRA, type StateKeyAnswer, stateIdOf, type VirtualMachineInstance } from '@podvisor/api';
import { type Decider, forbidden, required, VMI_KIND } from './decision.ts';

const KEY_BYTES = 32;

export const stateKey: Decider = ({ name, user }, { vmi: found, stateKeys }) => {
  const vmi = required(found, VMI_KIND, name);
  const nodes = user.extra[NODE_NAME_EXTRA] ?? [];
  const node = nodes.length === 1 ? nodes[0] : undefined;
  if (stateKeys === undefined || user.name !== stateKeys.handler || !node || vmi.status?.nodeName !== node)
    throw forbidden(VMI_KIND, name, 'the key of its state is for the virt-handler of its node only');
  const { masterKey } = stateKeys;
  const body: StateKeyAnswer = masterKey === undefined ? {} : answerFor(vmi, masterKey);
  return { kind: 'answer', body };
};

function answerFor(vmi: VirtualMachineInstance, masterKey: Buffer): StateKeyAnswer {
  const id = stateIdOf(vmi);
  if (id === undefined) return {};
  const info = `podvisor hibernation ${vmi.metadata?.namespace ?? ''}`;
  return { stateKey: Buffer.from(hkdfSync('sha256', masterKey, id, info, KEY_BYTES)).toString('base64') };
}
