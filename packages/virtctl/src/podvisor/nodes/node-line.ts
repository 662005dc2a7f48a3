/** One node in one line, for `status` and `node list`. Pure. */
import type { Node } from '@podvisor/api';
import { type InstanceNode, type NodeFault, podCidrs } from '@podvisor/sys';
import pc from 'picocolors';
import { takesVms } from '../up/readiness.ts';

const FAULTS: Readonly<Record<NodeFault, string>> = { cut: 'cut off', killed: 'power is off' };

export function nodeLine(
  { name, address, ...ranges }: InstanceNode,
  node: Node | undefined,
  fault: NodeFault | undefined,
  vms: number,
): string {
  const state = [
    fault === undefined ? undefined : pc.red(FAULTS[fault]),
    readiness(node),
    node?.spec?.unschedulable === true ? pc.yellow('cordoned') : undefined,
    `${vms} VM${vms === 1 ? '' : 's'}`,
    `address ${address}`,
    `Pods ${podCidrs(ranges).join(',')}`,
  ];
  return `${name.padEnd(22)} ${state.filter((part) => part !== undefined).join(', ')}`;
}

function readiness(node: Node | undefined): string {
  if (node === undefined) return pc.yellow('not registered');
  if (takesVms(node)) return pc.green('ready, takes VMs');
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'Unknown') return pc.red('unknown: not heard of for more than 40 s');
  return pc.yellow(ready?.status === 'True' ? 'ready, but takes no VMs' : 'not ready');
}
