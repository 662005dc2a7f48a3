/** Events of the migration controller; some are told about the migration, some about its VMI. */
import type { Event } from '../recorder.ts';

export const migrationEvents = {
  podCreated: (name: string): Event => ['Normal', 'SuccessfulCreate', `Created migration target pod ${name}`],
  podCreateFailed: (cause: string): Event => [
    'Warning',
    'FailedCreate',
    `Error creating migration target pod: ${cause}`,
  ],
  podDeleted: (name: string): Event => ['Normal', 'SuccessfulDelete', `Deleted migration target pod ${name}`],
  attachmentCreated: (name: string, volumes: string): Event => [
    'Normal',
    'SuccessfulCreate',
    `Created attachment pod ${name} for the target: volumes ${volumes}`,
  ],
  attachmentFailed: (cause: string): Event => [
    'Warning',
    'FailedCreate',
    `Error creating attachment pod of the target: ${cause}`,
  ],
  podUnschedulable: (cause: string): Event => [
    'Warning',
    'migrationTargetPodUnschedulable',
    `Migration target pod is currently unschedulable: ${cause}`,
  ],
  handedOver: (node: string): Event => [
    'Normal',
    'SuccessfulHandOver',
    `Migration target pod is ready on node ${node} for preparation by virt-handler.`,
  ],
  addressChanges: (what: string): Event => ['Warning', 'AddressChanges', what],
  succeeded: (from: string, to: string): Event => [
    'Normal',
    'SuccessfulMigration',
    `Source node reported migration succeeded: ${from} → ${to}`,
  ],
  failed: (reason: string): Event => ['Warning', 'FailedMigration', `Migration failed: ${reason}`],
  abortRequested: (): Event => [
    'Normal',
    'SuccessfulAbortMigration',
    'The migration is to be aborted; the source node was asked to.',
  ],
  backOff: (name: string, seconds: number): Event => [
    'Warning',
    'MigrationBackoff',
    `backoff migrating vmi ${name}: the last migrations of it failed, next attempt in ${seconds} s`,
  ],
} as const;
