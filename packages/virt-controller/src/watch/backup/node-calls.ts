/** Asks the guest's node for backups through the API, as a user would: virt-controller talks to nobody else. */
import type { BackupCheckpoint, BackupOptions, VirtualMachineInstance } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';

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
  const put = async (
    { metadata }: VirtualMachineInstance,
    verb: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<void> => {
    const root = '/apis/subresources.kubevirt.io/v1';
    const path = `${root}/namespaces/${metadata?.namespace}/virtualmachineinstances/${metadata?.name}/${verb}`;
    const headers = { 'content-type': 'application/json' };
    await client.raw({ method: 'PUT', path, headers, body: JSON.stringify(body) }, signal);
  };
  return {
    backup: (vmi, options, signal) => put(vmi, 'backup', options, signal),
    redefine: async (vmi, checkpoint, signal) => {
      try {
        await put(vmi, 'redefine-checkpoint', checkpoint, signal);
        return undefined;
      } catch (error) {
        if (isStatus(error, 'Invalid')) return error.message;
        throw error;
      }
    },
  };
}
