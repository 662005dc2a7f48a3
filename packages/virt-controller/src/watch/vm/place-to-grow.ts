/**
 * Where a running guest takes over more CPUs or memory: on its next node, whose Pod is made for the new size; or, where
 * no other node is, in the Pod that it has. That Pod must not be limited to the old size, its node must have the
 * memory left, and its requests are raised (`pods/resize`), so that nobody counts on what the guest now has. Pure.
 */
import type { Node, Pod, VirtualMachineInstance } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';

export type PlaceToGrow =
  | { readonly kind: 'other node' }
  | {
      readonly kind: 'in place';
      readonly pod: Pod;
      /** Memory that its node has left. Counts Pods: asked only when a guest is to have more. */
      freeBytes(): number;
    }
  /** Nothing is known of its Pod. */
  | { readonly kind: 'nowhere' };

export type Resource = 'cpu' | 'memory';

/** What a guest gets beyond what it has. */
export interface Increase {
  /** CPUs after the change over those before it. */
  readonly cpuFactor: number;
  readonly memoryBytes: number;
}

/** Why the guest cannot grow there, as the end of a sentence; undefined when it can. */
export function placeProblem(
  place: PlaceToGrow,
  resource: Resource,
  vmi: VirtualMachineInstance,
  moreBytes: number,
): string | undefined {
  if (place.kind === 'other node') return undefined;
  if (place.kind === 'nowhere') return 'there is no other node, and nothing is known of its Pod';
  if (vmi.spec.domain.cpu?.dedicatedCpuPlacement === true)
    return 'there is no other node, and its CPUs are chosen when its Pod starts';
  if (resourcesOf(place.pod)?.limits?.[resource] !== undefined)
    return `there is no other node, and its Pod has a limit of ${resource}`;
  const freeBytes = moreBytes > 0 ? place.freeBytes() : Number.POSITIVE_INFINITY;
  if (moreBytes > freeBytes)
    return `there is no other node, and its own has ${mebibytes(freeBytes)}Mi of memory left`;
  return undefined;
}

/** Memory of the node that no Pod in the list has asked for. */
export function freeBytesOf(node: Node | undefined, pods: readonly Pod[]): number {
  const allocatable = bytes(node?.status?.allocatable?.['memory']);
  const asked = pods
    .filter((pod) => pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed')
    .flatMap(({ spec }) => spec.containers)
    .reduce((sum, { resources }) => sum + bytes(resources?.requests?.['memory']), 0);
  return Math.max(0, allocatable - asked);
}

/** Requests of the Pod's guest with the increase; what it has not asked for it does not ask for now. */
export function raisedRequests(
  pod: Pod,
  { cpuFactor, memoryBytes }: Increase,
): Readonly<Record<string, string>> {
  const { cpu, memory } = resourcesOf(pod)?.requests ?? {};
  return {
    ...(cpu === undefined || cpuFactor === 1
      ? {}
      : { cpu: `${Math.ceil(parseQuantity(String(cpu)).milliValue() * cpuFactor)}m` }),
    ...(memory === undefined || memoryBytes === 0 ? {} : { memory: String(bytes(memory) + memoryBytes) }),
  };
}

export const GUEST_CONTAINER = 'compute';

function resourcesOf({ spec }: Pod): Pod['spec']['containers'][number]['resources'] {
  return spec.containers.find(({ name }) => name === GUEST_CONTAINER)?.resources;
}

function bytes(quantity: string | number | undefined): number {
  return quantity === undefined ? 0 : parseQuantity(String(quantity)).value();
}

function mebibytes(count: number): number {
  return Math.floor(count / 1024 ** 2);
}
