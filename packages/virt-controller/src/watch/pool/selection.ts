/** Which machines of a pool come first when some must go or restart. Pure. */
import {
  matchesSelector,
  type PoolSelectionPolicy,
  type VirtualMachine,
  matchesRequirement,
} from '@podvisor/api';
import { indexOf } from './member.ts';

export interface SelectionContext {
  /** Labels of the node that runs a machine. */
  nodeLabels(vm: VirtualMachine): Readonly<Record<string, string>> | undefined;
  random(): number;
}

/** The machines in the order in which they are taken. Those that the selectors match come before all others. */
export function inOrder(
  vms: readonly VirtualMachine[],
  policy: PoolSelectionPolicy | undefined,
  context: SelectionContext,
): readonly VirtualMachine[] {
  const sorted = sort(vms, policy?.sortPolicy ?? 'Random', context);
  const { labelSelector, nodeSelectorRequirementMatcher } = policy?.selectors ?? {};
  if (labelSelector === undefined && nodeSelectorRequirementMatcher === undefined) return sorted;
  const isSelected = (vm: VirtualMachine): boolean => {
    const node = context.nodeLabels(vm);
    const onNode =
      node !== undefined &&
      (nodeSelectorRequirementMatcher?.every((requirement) => matchesRequirement(requirement, node)) ??
        false);
    return onNode || matchesSelector(labelSelector, vm.metadata?.labels);
  };
  return [...sorted.filter(isSelected), ...sorted.filter((vm) => !isSelected(vm))];
}

function sort(
  vms: readonly VirtualMachine[],
  policy: NonNullable<PoolSelectionPolicy['sortPolicy']>,
  { random }: SelectionContext,
): readonly VirtualMachine[] {
  const index = (vm: VirtualMachine): number => indexOf(vm) ?? -1;
  const created = (vm: VirtualMachine): string => vm.metadata?.creationTimestamp ?? '';
  switch (policy) {
    case 'AscendingOrder':
      return vms.toSorted((a, b) => index(a) - index(b));
    case 'DescendingOrder':
      return vms.toSorted((a, b) => index(b) - index(a));
    case 'Newest':
      return vms.toSorted((a, b) => created(b).localeCompare(created(a)));
    case 'Oldest':
      return vms.toSorted((a, b) => created(a).localeCompare(created(b)));
    case 'Random': {
      const drawn = vms.map((vm) => ({ vm, at: random() }));
      return drawn.toSorted((a, b) => a.at - b.at).map(({ vm }) => vm);
    }
  }
}
