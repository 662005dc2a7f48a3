/**
 * What all Pods together weigh beside the other processes of the machine when the CPU is short: as much as the
 * machine has of it, as on any Kubernetes node. Without it a machine full of guests would weigh as one process.
 */
import { messageOf } from '@podvisor/base';
import { weighCgroup } from '@podvisor/sys';
import { type KubeletContext, podsCgroups } from './context.ts';
import type { Machine } from './node/machine.ts';

const SHARES_PER_CPU = 1024;

/** Of all instances, and of this one among them. */
export function weighPods(context: KubeletContext, { cpuMilli }: Pick<Machine, 'cpuMilli'>): void {
  const shares = Math.floor((cpuMilli * SHARES_PER_CPU) / 1000);
  try {
    for (const group of podsCgroups(context)) weighCgroup(group, shares);
  } catch (error) {
    context.log.warn({ error: messageOf(error) }, 'Pods get little of the CPU while others want it too');
  }
}
