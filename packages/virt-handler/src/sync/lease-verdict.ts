/**
 * Condition `FencedByLease`: whether others can tell the end of this guest from its storage, so that it may be
 * started elsewhere when its node is lost. Pure.
 */
import { type DomainState, leasePlace, type VirtualMachineInstance, type VMICondition } from '@podvisor/api';

type Verdict = Pick<VMICondition, 'status' | 'reason' | 'message'>;

const OTHERWISE =
  'when its node is lost, it starts elsewhere only after somebody says that the machine is off (virtctl fence)';

export function leaseVerdict(vmi: VirtualMachineInstance, { lease }: Pick<DomainState, 'lease'>): Verdict {
  const place = leasePlace(vmi);
  if (place.kind === 'none')
    return { status: 'False', reason: place.reason, message: `${place.message}; ${OTHERWISE}` };
  if (lease === undefined)
    return {
      status: 'False',
      reason: 'LeaseNotKept',
      message: `no lease is kept on volume ${place.volume}: there was no other node when the guest started, or the storage takes no file beside its disk; ${OTHERWISE}`,
    };
  if (lease.overdue !== undefined)
    return {
      status: 'False',
      reason: 'StorageLost',
      message: `the lease on volume ${lease.volume} cannot be renewed: ${lease.overdue}. The node is there: the guest waits for its storage and is not started elsewhere`,
    };
  return { status: 'True', reason: 'LeaseRenewed', message: `a lease is kept on volume ${lease.volume}` };
}
