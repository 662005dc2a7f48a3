/** The Kubernetes events of a migration that virt-handler writes. */
import type { MigrationState } from '@podvisor/api';
import { isStatus, messageOf } from '@podvisor/base';
import type { EventText } from '../sync/events.ts';

export const MIGRATION_EVENTS = {
  prepared: {
    type: 'Normal',
    reason: 'PreparingTarget',
    message: 'VirtualMachineInstance Migration Target Prepared.',
  },
  listening: { type: 'Normal', reason: 'PreparingTarget', message: 'Migration Target is listening' },
  notPrepared: (why: string): EventText => ({
    type: 'Warning',
    reason: 'PreparingTarget',
    message: `The target of the migration is not ready: ${why}`,
  }),
  migrated: (node: string): EventText => ({
    type: 'Normal',
    reason: 'Migrated',
    message: `The VirtualMachineInstance migrated to node ${node}.`,
  }),
  failed: (why: string): EventText => ({
    type: 'Warning',
    reason: 'Migrated',
    message: `The VirtualMachineInstance failed to migrate: ${why}`,
  }),
  broken: {
    type: 'Warning',
    reason: 'Migrating',
    message:
      'The connection between the nodes broke while the memory of the guest is on both of them. The guest stands still until they reach each other again.',
  },
  undecided: {
    type: 'Warning',
    reason: 'Migrating',
    message:
      'The target does not answer after all of the guest was moved to it. The guest stands still until it is known whether it runs there.',
  },
} as const satisfies Record<string, EventText | ((text: string) => EventText)>;

/** What is told when a target cannot be prepared; nothing of a write that met another: the next look does it. */
export function notPreparedEvent(error: unknown): EventText | undefined {
  return isStatus(error, 'Conflict') ? undefined : MIGRATION_EVENTS.notPrepared(messageOf(error));
}

/** The event that belongs to a change of the state, if any: that it failed. */
export function migrationEvent(
  before: MigrationState | undefined,
  after: MigrationState | undefined,
): EventText | undefined {
  const fails = after?.failed === true && before?.failed !== true;
  return fails ? MIGRATION_EVENTS.failed(after.failureReason ?? 'the reason is not known') : undefined;
}
