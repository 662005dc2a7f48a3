/** Asks the guest's node for backups through the API, as a user would: virt-controller talks to nobody else. */
import type { BackupCheckpoint, BackupOptions, BackupProgress, VirtualMachineInstance } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { askGuest, putToGuest } from '../guest-requests.ts';

export interface BackupCalls {
  backup(vmi: VirtualMachineInstance, options: BackupOptions, signal: AbortSignal): Promise<void>;
  /** Undefined when nobody knows. */
  progress(vmi: VirtualMachineInstance, signal: AbortSignal): Promise<BackupProgress | undefined>;
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
    progress: async (vmi, signal) => {
      try {
        const { backupName, totalBytes, doneBytes } = Object(
          await askGuest(client, vmi, 'backupprogress', signal),
        );
        if (typeof totalBytes !== 'number' || typeof doneBytes !== 'number') return undefined;
        return { backupName: String(backupName), totalBytes, doneBytes };
      } catch (error) {
        // It has just ended, or the node has other things to do; the next look tells.
        if (signal.aborted) throw error;
        return undefined;
      }
    },
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
