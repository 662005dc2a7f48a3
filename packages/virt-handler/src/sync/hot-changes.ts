/**
 * Changes of a running guest: more CPUs (`HotVCPUChange`), other memory (`HotMemoryChange`), which a migration finishes,
 * or, with the reason `InPlace`, its launcher. virt-controller asks for them by these conditions; here they end: the
 * condition goes when the guest has what its VMI says, and is False when its node could not give it. Pure.
 */
import type { DomainState, VirtualMachineInstance, VMICondition } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { withCondition } from './conditions/conditions.ts';

const CPU = 'HotVCPUChange';
const MEMORY = 'HotMemoryChange';
const FAILED = 'HotplugFailed';

/** The VMI waits for more CPUs or memory. */
export function hasWaitingChange({ status }: VirtualMachineInstance): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => isHot(type) && value === 'True');
}

/** The conditions after a look at the domain. `failure`: what its node said when it could not follow. */
export function withHotChanges(
  conditions: readonly VMICondition[],
  { spec }: VirtualMachineInstance,
  domain: DomainState,
  failure: string | undefined,
  now: string,
): readonly VMICondition[] {
  const guest = spec.domain.memory?.guest;
  const done: Readonly<Record<string, boolean>> = {
    [CPU]: domain.cpu !== undefined && domain.cpu.sockets >= (spec.domain.cpu?.sockets ?? 1),
    [MEMORY]: guest === undefined || domain.memoryBytes?.requested === parseQuantity(guest).value(),
  };
  return conditions
    .filter(({ type }) => isHot(type))
    .reduce((list, { type, status }) => {
      if (done[type] === true) return withCondition(list, type, undefined, now);
      if (failure === undefined || status !== 'True') return list;
      return withCondition(list, type, { status: 'False', reason: FAILED, message: failure }, now);
    }, conditions);
}

function isHot(type: string): boolean {
  return type === CPU || type === MEMORY;
}
