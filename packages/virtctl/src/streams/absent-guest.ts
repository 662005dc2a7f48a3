/**
 * Whether there is a guest to which a port can be forwarded, asked before a port is opened here or ssh is started: who
 * forwards to a name that is not there would hear of it from nobody until somebody connects, and ssh says more of its
 * own broken pipe than anybody wants to know. A guest that is on its way up is no reason to
 * refuse, nor is a port on which nobody listens yet: connections are tried as they come.
 */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { noSuchVm, vmNames } from '../no-such-vm.ts';
import type { Target } from '../target.ts';

interface Found {
  readonly vm: VirtualMachine | undefined;
  readonly vmi: VirtualMachineInstance | undefined;
}

const OFF: ReadonlySet<string> = new Set(['Stopped', 'Hibernated']);
const ENDED: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

/** Throws with a sentence when there is no such guest. Says nothing where the objects may not be read. */
export async function requireGuest(
  client: Pick<KubeClient, 'find' | 'list'>,
  target: Required<Target>,
): Promise<void> {
  const { name, namespace } = target;
  let found: Found;
  try {
    const key = { name, namespace };
    // What was named first: where it is there and on, nothing else is asked.
    const vmi = await client.find<VirtualMachineInstance>(resources.virtualMachineInstances, key);
    const isEnough = target.kind === 'vmi' && vmi !== undefined;
    const vm = isEnough ? undefined : await client.find<VirtualMachine>(resources.virtualMachines, key);
    found = { vm, vmi };
  } catch (error) {
    // Who may forward ports need not be one who may read: the tunnel will tell.
    if (isStatus(error, 'Forbidden')) return;
    throw error;
  }
  const told = absentGuest(target, found);
  if (told === 'unknown') throw new Error(noSuchVm(name, namespace, await vmNames(client, namespace)));
  if (told !== undefined) throw new Error(told);
}

/** Undefined: it is there, or will be; `unknown`: nothing has this name. Pure. */
export function absentGuest({ kind, name }: Target, { vm, vmi }: Found): string | undefined {
  if (vm === undefined && vmi === undefined) return 'unknown';
  if (kind === 'vm' && vm === undefined)
    return `there is no VirtualMachine "${name}", but a VirtualMachineInstance that has none: write vmi/${name}`;
  const phase = vmi?.status?.phase ?? '';
  if (vm === undefined && ENDED.has(phase))
    return `vmi/${name} has ended (${phase}): virtctl why vmi/${name} tells more`;
  const status = vm?.status?.printableStatus ?? '';
  if (vmi === undefined && OFF.has(status)) return `vm/${name} is ${status}: virtctl start ${name} starts it`;
  return undefined;
}
