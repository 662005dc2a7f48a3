/** What a Pod asks a node for. Sums are exact (see quantities in `base`). */
import type { Container, Pod, ResourceList } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';

/** Amounts by resource name, in units of 10^-9. */
export type Amounts = ReadonlyMap<string, bigint>;

/** Sizes of containers are parsed over and over; texts repeat. */
const parsed = new Map<string, bigint>();
const MAX_PARSED = 10_000;

export function nano(quantity: string | number): bigint {
  const text = String(quantity);
  let value = parsed.get(text);
  if (value === undefined) {
    value = parseQuantity(text).nano;
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(text, value);
  }
  return value;
}

export function amountsOf(list: ResourceList | undefined): Map<string, bigint> {
  return new Map(Object.entries(list ?? {}).map(([name, quantity]) => [name, nano(quantity)]));
}

/**
 * The Pod's request: its containers together (sidecars among them), or the largest moment of its init
 * containers, whichever is more, plus overhead. A limit without a request counts as the request.
 */
export function podRequests(pod: Pod): Map<string, bigint> {
  const total = new Map<string, bigint>();
  for (const container of pod.spec.containers) add(total, containerRequests(container));
  const sidecars = new Map<string, bigint>();
  const startUp = new Map<string, bigint>();
  for (const container of pod.spec.initContainers ?? []) {
    const requests = containerRequests(container);
    if (container.restartPolicy === 'Always') {
      add(sidecars, requests);
      raise(startUp, sidecars);
    } else {
      add(requests, sidecars);
      raise(startUp, requests);
    }
  }
  add(total, sidecars);
  raise(total, startUp);
  add(total, amountsOf(pod.spec.overhead));
  return total;
}

function containerRequests(container: Container): Map<string, bigint> {
  return amountsOf({ ...container.resources?.limits, ...container.resources?.requests });
}

export function add(to: Map<string, bigint>, amounts: Amounts): void {
  for (const [name, amount] of amounts) to.set(name, (to.get(name) ?? 0n) + amount);
}

export function subtract(from: Map<string, bigint>, amounts: Amounts): void {
  for (const [name, amount] of amounts) from.set(name, (from.get(name) ?? 0n) - amount);
}

function raise(to: Map<string, bigint>, amounts: Amounts): void {
  for (const [name, amount] of amounts) if (amount > (to.get(name) ?? 0n)) to.set(name, amount);
}
