/** Guest memory, and how far it may grow while the guest runs. */
import { Amount, isQuantity, parseQuantity } from '@podvisor/base';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Draft } from '../../draft.ts';
import { hotplugMemoryProblem } from '../../lifecycle/memory-hotplug.ts';
import type { Quantity, VMISpec } from '../../types/index.ts';

/** Guest memory is what the Pod requests, else its limit, else one huge page. */
export function defaultGuestMemory(spec: Draft<VMISpec>): void {
  spec.domain.memory ??= {};
  const { memory, resources } = spec.domain;
  if (memory.guest !== undefined) return;
  const pageSize = memory.hugepages?.pageSize;
  const guest =
    nonZero(resources?.requests?.memory) ??
    nonZero(resources?.limits?.memory) ??
    (isQuantity(pageSize) ? pageSize : undefined);
  if (guest !== undefined) memory.guest = guest;
}

/** Leaves `maxGuest` unset where memory cannot be plugged: such a guest simply does not grow. */
export function defaultMaxGuest(spec: Draft<VMISpec>, config: ClusterConfig): void {
  const { memory } = spec.domain;
  if (!memory || memory.maxGuest !== undefined) return;
  const { maxGuest, maxHotplugRatio } = config.liveUpdate;
  const limit = maxGuest ?? (memory.guest === undefined ? undefined : times(memory.guest, maxHotplugRatio));
  if (limit === undefined || hotplugMemoryProblem(spec, limit) !== undefined) return;
  memory.maxGuest = parseQuantity(limit).toString();
}

function nonZero(quantity: Quantity | undefined): Quantity | undefined {
  return quantity !== undefined && parseQuantity(quantity).nano !== 0n ? quantity : undefined;
}

function times(quantity: Quantity, factor: number): Quantity {
  return Amount.ofBytes(parseQuantity(quantity).value() * factor).toString();
}
