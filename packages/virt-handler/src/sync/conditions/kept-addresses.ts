/** Condition `AddressesKept`: a VM that could move, and would have another address then, says so before. Pure. */
import { vmiConditions, type VirtualMachineInstance, type VMICondition, podAddresses } from '@podvisor/api';
import { addressesThatChange } from '@podvisor/network';
import { withCondition, withVerdict } from './conditions.ts';
import { type Situation } from '../situation.ts';

const TYPE = vmiConditions.addressesKept;
const REASON = 'AddressChangesWithMigration';

/** The conditions with this one; as they were while nothing is known of the Pod. */
export function withKeptAddresses(
  conditions: readonly VMICondition[],
  vmi: VirtualMachineInstance,
  { pod, podInterfaces = new Map(), addressPromise }: Situation,
  canMove: boolean,
  now: string,
): readonly VMICondition[] {
  if (pod === undefined) return conditions;
  const changes = !canMove
    ? []
    : addressesThatChange(vmi, {
        podAnnotations: pod.metadata.annotations,
        podIps: podAddresses(pod),
        podInterfaces,
        promise: addressPromise,
      });
  if (changes.length === 0) return withCondition(conditions, TYPE, undefined, now);
  const verdict = { status: 'False', reason: REASON, message: changes.join('; ') } as const;
  return withVerdict(conditions, TYPE, verdict, now);
}
