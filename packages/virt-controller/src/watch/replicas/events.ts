/** Events of replica sets and pools. */
import type { Event } from '../recorder.ts';
import { vmEvents } from '../vm/events.ts';

export const replicaEvents = {
  created: vmEvents.started,
  createFailed: vmEvents.startFailed,
  deleted: vmEvents.stopped,
  deleteFailed: vmEvents.stopFailed,
  vmCreated: (name: string): Event => ['Normal', 'SuccessfulCreate', `Created virtual machine ${name}`],
  vmCreateFailed: (cause: string): Event => [
    'Warning',
    'FailedCreate',
    `Error creating virtual machine: ${cause}`,
  ],
  vmDeleted: (name: string, why: string): Event => [
    'Normal',
    'SuccessfulDelete',
    `Deleted virtual machine ${name}: ${why}`,
  ],
  vmDeleteFailed: (name: string, cause: string): Event => [
    'Warning',
    'FailedDelete',
    `Error deleting virtual machine ${name}: ${cause}`,
  ],
  vmUpdated: (name: string): Event => [
    'Normal',
    'SuccessfulUpdate',
    `Virtual machine ${name} follows the pool's template now`,
  ],
  vmUpdateFailed: (name: string, cause: string): Event => [
    'Warning',
    'FailedUpdate',
    `Error updating virtual machine ${name}: ${cause}`,
  ],
  restarted: (name: string): Event => [
    'Normal',
    'SuccessfulDelete',
    `Restarts ${name} with the pool's template by deleting its virtual machine instance`,
  ],
  paused: (): Event => ['Normal', 'SuccessfulPaused', 'Paused'],
  resumed: (): Event => ['Normal', 'SuccessfulResumed', 'Resumed'],
} as const;
