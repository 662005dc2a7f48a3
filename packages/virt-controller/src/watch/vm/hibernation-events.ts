/** Events of hibernation: one for each change of what the VM's status says about it. Pure. */
import type { VirtualMachineInstance, VMHibernation } from '@podvisor/api';
import type { Event } from '../recorder.ts';

export function hibernationEvents(
  before: VMHibernation | undefined,
  after: VMHibernation | undefined,
  vmi: VirtualMachineInstance | undefined,
): readonly Event[] {
  if (after === undefined) return before?.phase === 'Hibernated' ? [ended(before, vmi)] : [];
  if (after.phase === before?.phase && after.vmiUID === before.vmiUID)
    return after.reason !== undefined && after.reason !== before.reason ? [refused(after)] : [];
  switch (after.phase) {
    case 'Saving':
      return [['Normal', 'HibernationStarted', `The guest is being saved to claim ${after.claimName}`]];
    case 'Hibernated':
      return [
        after.isWhole === true
          ? ['Normal', 'Hibernated', `The guest is saved on claim ${after.claimName}`]
          : [
              'Warning',
              'Hibernated',
              `The guest ended while it was saved to claim ${after.claimName}; the next start finds out whether the state is whole, and boots if it is not`,
            ],
      ];
    case 'Failed':
      return [['Warning', 'HibernationFailed', `The guest was not hibernated: ${after.message ?? ''}`]];
    default:
      return [];
  }
}

function ended(before: VMHibernation, vmi: VirtualMachineInstance | undefined): Event {
  const told = vmi?.status?.hibernation;
  if (vmi === undefined)
    return [
      'Warning',
      'HibernatedStateDiscarded',
      `The state on claim ${before.claimName} was discarded as asked`,
    ];
  if (told?.phase === 'Booted')
    return [
      'Warning',
      'HibernatedStateMissing',
      `The guest boots anew: ${told.message ?? 'there was no state'}`,
    ];
  return [
    'Normal',
    'Woken',
    `The guest goes on where it was at ${before.hibernatedTimestamp ?? 'its hibernation'}`,
  ];
}

function refused({ reason, message, claimName }: VMHibernation): Event {
  return [
    'Warning',
    'HibernatedStateRefused',
    `The state on claim ${claimName} was not loaded (${reason}): ${message}. Make the VM as it was, or give the state up with virtctl start --discard-state`,
  ];
}
