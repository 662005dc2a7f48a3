/** The status of an export from the state of its source and its server. Pure. */
import type { VirtualMachineExport, VirtualMachineExportStatus } from '@podvisor/api';
import { setCondition } from '../conditions.ts';
import { backupLinks } from './backup.ts';
import { exportName, internalLinks, tokenSecretName } from './plan.ts';
import type { ExportState } from './reconcile.ts';

export function exportStatus(
  of: VirtualMachineExport,
  step: ExportState,
  ttlExpirationTime: string,
  nowMs: number,
): VirtualMachineExportStatus {
  const old = of.status ?? {};
  const condition = (type: string, status: string, reason: string, message?: string) => ({
    type,
    status,
    reason,
    ...(message === undefined ? {} : { message }),
  });
  const base = {
    ...old,
    ttlExpirationTime,
    tokenSecretRef: tokenSecretName(of),
    serviceName: exportName(of),
  };
  const with2 = (ready: ReturnType<typeof condition>, claims: ReturnType<typeof condition>) =>
    setCondition(setCondition(old.conditions ?? [], ready, nowMs), claims, nowMs);
  switch (step.kind) {
    case 'served':
      return {
        ...base,
        phase: 'Ready',
        links: {
          internal:
            step.backup === undefined
              ? internalLinks(of, step.claims, step.cert)
              : backupLinks(of, step.backup.disks, step.cert),
        },
        conditions: with2(condition('Ready', 'True', 'PodReady'), condition('PVCReady', 'True', 'PVCBound')),
      };
    case 'skipped':
      return {
        ...base,
        phase: 'Skipped',
        conditions: with2(
          condition('Ready', 'False', 'NoVolumes', 'The source has no volume that can be exported'),
          condition('PVCReady', 'False', 'NoVolumes'),
        ),
      };
    default: {
      const { reason, message } = step.kind === 'waits' ? step : { reason: 'Initializing', message: '' };
      const claimsReady = reason === 'Initializing' ? 'True' : 'False';
      return {
        ...base,
        phase: old.phase === 'Ready' ? 'Ready' : 'Pending',
        conditions: with2(
          condition('Ready', 'False', reason, message),
          condition('PVCReady', claimsReady, reason),
        ),
      };
    }
  }
}
