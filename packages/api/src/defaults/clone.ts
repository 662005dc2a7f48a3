/** The mutating webhook of clones: a target VM with a name of its own. */
import type { VirtualMachineClone } from '../types/index.ts';

/** `suffix` is five random characters, as Kubernetes makes them for generated names. */
export function defaultClone(clone: VirtualMachineClone, suffix: string): VirtualMachineClone {
  const { source, target } = clone.spec;
  const name = target?.name || `clone-${source.name}-${suffix}`;
  const completed = target ? { ...target, name } : { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name };
  return { ...clone, spec: { ...clone.spec, target: completed } };
}
