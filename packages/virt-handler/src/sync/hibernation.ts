/** `status.hibernation` of a VMI from what the node sees. Pure. */
import {
  type DomainState,
  hibernatedStateOf,
  refusalIn,
  type VirtualMachineInstance,
  type VMIStatus,
} from '@podvisor/api';
import type { SyncOutcome } from './status/status.ts';

export function hibernationStatus(
  vmi: VirtualMachineInstance,
  domain: DomainState | undefined,
  outcome: SyncOutcome,
): Pick<VMIStatus, 'hibernation'> {
  if (domain?.hibernation !== undefined) return { hibernation: domain.hibernation };
  const refusal = outcome.kind === 'failed' ? refusalIn(outcome.message) : undefined;
  const id = hibernatedStateOf(vmi)?.id;
  if (refusal === undefined || id === undefined) return {};
  return { hibernation: { phase: 'Refused', id, ...refusal } };
}
