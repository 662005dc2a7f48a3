/** Events of replica sets and pools. */
import type { Event } from '../recorder.ts';

export const replicaEvents = {
  created: (name: string): Event => [
    'Normal',
    'SuccessfulCreate',
    `Started the virtual machine by creating the new virtual machine instance ${name}`,
  ],
  createFailed: (cause: string): Event => [
    'Warning',
    'FailedCreate',
    `Error creating virtual machine instance: ${cause}`,
  ],
  deleted: (uid: string): Event => [
    'Normal',
    'SuccessfulDelete',
    `Stopped the virtual machine by deleting the virtual machine instance ${uid}`,
  ],
  deleteFailed: (name: string, cause: string): Event => [
    'Warning',
    'FailedDelete',
    `Error deleting virtual machine instance ${name}: ${cause}`,
  ],
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
