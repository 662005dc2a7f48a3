/** Asks the guest's node for backups through the API, as a user would: virt-controller talks to nobody else. */
import type { BackupCheckpoint, BackupOptions, VirtualMachineInstance } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { putToGuest } from '../put-to-guest.ts';

export interface BackupCalls {
  backup(vmi: VirtualMachineInstance, options: BackupOptions, signal: AbortSignal): Promise<void>;
  /** Answers why the checkpoint is lost; undefined: it is known now. */
  redefine(
    vmi: VirtualMachineInstance,
    checkpoint: BackupCheckpoint,
    signal: AbortSignal,
  ): Promise<string | undefined>;
}

export function backupCalls(client: Pick<KubeClient, 'raw'>): BackupCalls {
  return {
    backup: (vmi, options, signal) => putToGuest(client, vmi, 'backup', options, signal),
    redefine: async (vmi, checkpoint, signal) => {
      try {
        await putToGuest(client, vmi, 'redefine-checkpoint', checkpoint, signal);
        return undefined;
      } catch (error) {
        if (isStatus(error, 'Invalid')) return error.message;
        throw error;
      }
    },
  };
}
