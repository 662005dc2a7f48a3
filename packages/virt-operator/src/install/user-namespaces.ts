/**
 * Whether Pods of ours ask for a user namespace (`hostUsers: false`) on a cluster: when the gate is named, and every node
 * says that it can. A Pod that asks in vain does not start, and a node that cannot may join later. Pure.
 */
import type { KubeVirt, Node } from '@podvisor/api';

/** The gate of the KubeVirt object that asks for it. */
const GATE = 'UserNamespaces';
/** From this version on Linux maps memory (tmpfs), which Secrets and tokens are on. */
const MAPS_MEMORY = [6, 3] as const;

export function wantsUserNamespaces({ spec }: Pick<KubeVirt, 'spec'>, nodes: readonly Node[]): boolean {
  const isNamed = spec.configuration?.developerConfiguration?.featureGates?.includes(GATE) === true;
  return isNamed && nodes.length > 0 && nodes.every(canMapUsers);
}

/** The runtime by its own word, the kernel by its version. */
function canMapUsers({ status }: Node): boolean {
  // The handler without a name is the one that Pods have when they name none.
  const usual = status?.runtimeHandlers?.find(({ name = '' }) => name === '');
  const [major = 0, minor = 0] = (status?.nodeInfo?.kernelVersion ?? '').split('.', 2).map(Number);
  const isNew = major > MAPS_MEMORY[0] || (major === MAPS_MEMORY[0] && minor >= MAPS_MEMORY[1]);
  return usual?.features?.userNamespaces === true && isNew;
}
