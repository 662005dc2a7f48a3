/** The status of a restore after a step. Pure. */
import type { VirtualMachineRestoreStatus } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { setCondition } from '../conditions.ts';
import type { RestoreStep } from './observation.ts';

export function restoreStatus(
  old: VirtualMachineRestoreStatus,
  step: RestoreStep,
  nowMs: number,
): VirtualMachineRestoreStatus {
  const conditions = (progressing: string, ready: string, reason: string) =>
    setCondition(
      setCondition(old.conditions ?? [], { type: 'Progressing', status: progressing, reason }, nowMs),
      { type: 'Ready', status: ready, reason },
      nowMs,
    );
  switch (step.kind) {
    case 'waits':
      return { ...old, complete: false, conditions: conditions('True', 'False', step.reason) };
    case 'done':
      return {
        ...old,
        complete: true,
        restoreTime: rfc3339(nowMs),
        conditions: conditions('False', 'True', 'Operation complete'),
      };
    case 'failed': {
      const base = conditions('False', 'False', step.reason);
      return {
        ...old,
        complete: false,
        conditions: setCondition(base, { type: 'Failure', status: 'True', reason: step.reason }, nowMs),
      };
    }
  }
}
