/**
 * What a VM remembers of volumes that move: where they come from, and that a guest which ended meanwhile has left
 * its data there although the VM names other claims already. Such a VM is not started before its owner has put the
 * old claims back. Pure.
 */
import {
  claimName,
  type MigratedVolume,
  movesVolumes,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VolumeUpdateState,
} from '@podvisor/api';
import { type Condition, findCondition, hasCondition, removeCondition, setCondition } from '../conditions.ts';
import { isFinal } from '../vmi-phase.ts';
import { VOLUMES_CHANGE } from './plan.ts';

const RECOVERY = 'ManualRecoveryRequired';
/** Word for word what clients of KubeVirt look for. */
const RECOVERY_REASON = 'VMI was removed or was final during the volume migration';

type Vmi = VirtualMachineInstance;

/** `status.volumeUpdateState` as it should be. */
export function volumeUpdateState(vm: VirtualMachine, vmi: Vmi | undefined): VolumeUpdateState | undefined {
  const moving = vmi === undefined ? [] : (vmi.status?.migratedVolumes ?? []);
  if (moving.length > 0) return { volumeMigrationState: { migratedVolumes: moving } };
  const known = rememberedVolumes(vm, vmi);
  if (known.length === 0) return vm.status?.volumeUpdateState;
  const cancelled = findCondition(vmi?.status?.conditions, VOLUMES_CHANGE)?.status === 'False';
  return cancelled || isRecovered(vm, vmi) ? undefined : vm.status?.volumeUpdateState;
}

/** The VM's conditions with ManualRecoveryRequired as it should be. */
export function withRecovery(
  conditions: readonly Condition[],
  vm: VirtualMachine,
  vmi: Vmi | undefined,
  nowMs: number,
): readonly Condition[] {
  if (isRecovered(vm, vmi)) return removeCondition(conditions, RECOVERY);
  if (vmi !== undefined && !isFinal(vmi)) return removeCondition(conditions, RECOVERY);
  if (!wasMoving(vm, vmi)) return conditions;
  return setCondition(
    conditions,
    { type: RECOVERY, status: 'True', reason: RECOVERY_REASON, message: recoveryMessage(vm, vmi) },
    nowMs,
  );
}

/** True when a start would run the guest on claims that its data never reached. */
export function needsRecovery(vm: VirtualMachine, vmi: Vmi | undefined): boolean {
  if (isRecovered(vm, vmi)) return false;
  return hasCondition(vm.status?.conditions, RECOVERY, 'True') || wasMoving(vm, vmi);
}

/** A VMI that is there says it itself; of one that is gone the VM has a copy. */
function wasMoving(vm: VirtualMachine, vmi: Vmi | undefined): boolean {
  if (vmi !== undefined) return movesVolumes(vmi);
  return hasCondition(vm.status?.conditions, VOLUMES_CHANGE, 'True');
}

/** The VM names the old claims again, or does not ask for copies any more. */
function isRecovered(vm: VirtualMachine, vmi: Vmi | undefined): boolean {
  if (vm.spec.updateVolumesStrategy !== 'Migration') return true;
  const claims = new Map((vm.spec.template?.spec?.volumes ?? []).map((v) => [v.name, claimName(v)]));
  return rememberedVolumes(vm, vmi).every(
    ({ volumeName, sourcePVCInfo }) =>
      !claims.has(volumeName) || claims.get(volumeName) === sourcePVCInfo?.claimName,
  );
}

/** The VMI's own word is newer than the VM's memory of it. */
function rememberedVolumes({ status }: VirtualMachine, vmi: Vmi | undefined): readonly MigratedVolume[] {
  if (vmi !== undefined && movesVolumes(vmi)) return vmi.status?.migratedVolumes ?? [];
  return status?.volumeUpdateState?.volumeMigrationState?.migratedVolumes ?? [];
}

export function recoveryMessage(vm: VirtualMachine, vmi: Vmi | undefined): string {
  const back = rememberedVolumes(vm, vmi).map(
    ({ volumeName, sourcePVCInfo }) => `volume ${volumeName} to claim ${sourcePVCInfo?.claimName}`,
  );
  return `The guest ended before its volumes were copied, so its data is on the old claims. Put back ${back.join(', ')}, and the VM can start.`;
}
