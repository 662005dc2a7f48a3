/** A backup that a client reads: the export that serves it, and what its status tells readers. Pure. */
import type { VirtualMachineBackup, VirtualMachineBackupStatus, VirtualMachineExport } from '@podvisor/api';
import { controllerReference } from '../ownership.ts';
import { progressing } from './status.ts';

const API = 'backup.kubevirt.io/v1alpha1';

export function exportOf(backup: VirtualMachineBackup, ttlMs: number): VirtualMachineExport {
  const { name = '', namespace } = backup.metadata ?? {};
  return {
    apiVersion: 'export.kubevirt.io/v1',
    kind: 'VirtualMachineExport',
    metadata: {
      name,
      namespace,
      ownerReferences: [controllerReference(backup, API, 'VirtualMachineBackup')],
    },
    spec: {
      source: { apiGroup: 'backup.kubevirt.io', kind: 'VirtualMachineBackup', name },
      ttlDuration: `${Math.max(1, Math.ceil(ttlMs / 1000))}s`,
      ...(backup.spec.tokenSecretRef ? { tokenSecretRef: backup.spec.tokenSecretRef } : {}),
    },
  };
}

/** With the addresses of the disks; undefined while the export is not ready. */
export function servedStatus(
  status: VirtualMachineBackupStatus,
  served: VirtualMachineExport | undefined,
  nowMs: number,
): VirtualMachineBackupStatus | undefined {
  const link = served?.status?.links?.internal;
  if (served?.status?.phase !== 'Ready' || link?.backups === undefined) return undefined;
  const endpoint = (volume: string, kind: string): string | undefined =>
    link.backups
      ?.find(({ name }) => name === volume)
      ?.endpoints?.find(({ endpoint: found }) => found === kind)?.url;
  return {
    ...progressing(status, 'ExportReady', 'Backup export is ready to pull', nowMs),
    endpointCert: link.cert,
    exportUID: served.metadata?.uid,
    includedVolumes: (status.includedVolumes ?? []).map(({ volumeName }) => ({
      volumeName,
      dataEndpoint: endpoint(volumeName, 'data'),
      mapEndpoint: endpoint(volumeName, 'map'),
    })),
  };
}
