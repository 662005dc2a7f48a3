/** Events of the VM controller: reasons and sentences that clients may look for. */
import type { Event } from '../recorder.ts';

export const vmEvents = {
  started: (vmiName: string): Event => [
    'Normal',
    'SuccessfulCreate',
    `Started the virtual machine by creating the new virtual machine instance ${vmiName}`,
  ],
  startFailed: (cause: string): Event => [
    'Warning',
    'FailedCreate',
    `Error creating virtual machine instance: ${cause}`,
  ],
  stopped: (vmiUid: string): Event => [
    'Normal',
    'SuccessfulDelete',
    `Stopped the virtual machine by deleting the virtual machine instance ${vmiUid}`,
  ],
  stopFailed: (vmiName: string, cause: string): Event => [
    'Warning',
    'FailedDelete',
    `Error deleting virtual machine instance ${vmiName}: ${cause}`,
  ],
  dataVolumeCreated: (name: string): Event => [
    'Normal',
    'SuccessfulDataVolumeCreate',
    `Created DataVolume ${name}`,
  ],
  dataVolumeUnauthorized: (name: string, cause: string): Event => [
    'Warning',
    'UnauthorizedDataVolumeCreate',
    `Not authorized to create DataVolume ${name}: ${cause}`,
  ],
  dataVolumeFailed: (name: string, cause: string): Event => [
    'Warning',
    'FailedDataVolumeCreate',
    `Error creating DataVolume ${name}: ${cause}`,
  ],
} as const;
