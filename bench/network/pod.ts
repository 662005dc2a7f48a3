/** A Pod as a network plugin leaves it, with no process inside, and phase 1 for it. */
import type { Interface } from '@podvisor/api';
import { type BindingSpec, describePodNic, observeNetns, planBinding } from '@podvisor/network';
import { applyActions, undoBridge, undoMasquerade } from '@podvisor/network';
import { createNetns, ipBatch, netnsPath, removeNetns } from '@podvisor/sys';

export const POD_ADDRESS = '10.99.0.5';
export const WORLD_ADDRESS = '10.99.0.1';

/** `body` gets the paths of the Pod's namespace and of the one at the other end of its cable, and their common name. */
export async function withPod<T>(body: (pod: string, world: string, name: string) => Promise<T>): Promise<T> {
  const name = `pvb${process.pid}`;
  const spaces = ['pod', 'world', 'guest'].map((part) => `${name}-${part}`);
  try {
    for (const space of spaces) await createNetns(space);
    const [pod = '', world = ''] = spaces.map(netnsPath);
    await ipBatch(world, [
      `link add w0 type veth peer name eth0 netns ${spaces[0]}`,
      `addr add ${WORLD_ADDRESS}/24 dev w0`,
      'link set w0 up',
    ]);
    await ipBatch(pod, [
      `addr add ${POD_ADDRESS}/24 dev eth0`,
      'link set eth0 up',
      `route add default via ${WORLD_ADDRESS} dev eth0`,
    ]);
    return await body(pod, world, name);
  } finally {
    for (const space of spaces) await removeNetns(space);
  }
}

/** Phase 1 for one interface; gives back what undoes it. */
export async function bind(pod: string, nicSpec: Partial<Interface>): Promise<() => Promise<void>> {
  const observed = await observeNetns(pod);
  const nic = describePodNic('eth0', observed.links, observed.routes, observed.routes6);
  if (nic === undefined) throw new Error('the Pod has no eth0');
  const spec: BindingSpec = {
    interface: { name: 'default', ...nicSpec },
    network: { name: 'default', pod: {} },
    index: 0,
    queueCount: 1,
    guest: { hostname: 'bench', dnsServers: [], searchDomains: [] },
  };
  await applyActions(pod, planBinding(spec, nic, observed).actions);
  return async () => {
    const now = await observeNetns(pod);
    await applyActions(
      pod,
      nicSpec.bridge === undefined ? undoMasquerade('eth0', now) : undoBridge(nic, now),
    );
  };
}
