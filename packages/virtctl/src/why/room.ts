/** What a Pod that no node takes asks for, beside what the nodes have. Pure. */
import type { Node, Pod } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';

const GIB = 1024 ** 3;

/** `the Pod asks for 900.2 GiB of memory and 0.1 CPUs; node-1 has 7.6 GiB and 2 CPUs`; undefined where nothing is known. */
export function roomText(pod: Pod | undefined, nodes: readonly Node[]): string | undefined {
  if (pod === undefined || nodes.length === 0) return undefined;
  const asked = (name: string): number =>
    pod.spec.containers.reduce((sum, { resources }) => sum + amount(resources?.requests?.[name]), 0);
  const has = nodes.map(({ metadata, status }) => {
    const { memory, cpu } = status?.allocatable ?? {};
    return `${metadata.name} has ${gib(amount(memory))} and ${cpus(amount(cpu))}`;
  });
  return `the Pod asks for ${gib(asked('memory'))} of memory and ${cpus(asked('cpu'))}; ${has.slice(0, 4).join(', ')} for all its Pods`;
}

function amount(quantity: string | number | undefined): number {
  return quantity === undefined ? 0 : parseQuantity(quantity).milliValue() / 1000;
}

const gib = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`;
const cpus = (count: number): string => `${Number(count.toFixed(1))} CPUs`;
