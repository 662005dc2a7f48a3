/** The claim that a backup is written to, plugged into the launcher Pod for as long as that takes. Pure. */
import {
  claimName,
  type PersistentVolumeClaim,
  type UtilityVolume,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { type JsonPatchOperation, guardedChange } from '@podvisor/kube';
import { nameSuffix } from '../vmi/pod-name.ts';

const SUFFIX = 'backup-target-pvc';
const LONGEST = 63;

/** Name of the volume: that of the backup, cut to what a volume may be called. */
export function targetVolume(backupName: string): string {
  const plain = `${backupName.replaceAll('.', '-')}-${SUFFIX}`;
  if (plain.length <= LONGEST && !backupName.includes('.')) return plain;
  const hash = nameSuffix(backupName);
  return `${backupName.replaceAll('.', '-').slice(0, LONGEST - SUFFIX.length - hash.length - 2)}-${hash}-${SUFFIX}`;
}

/** Why the claim cannot take a backup of this guest; undefined when it can. */
export function targetProblem(
  name: string,
  claim: PersistentVolumeClaim | undefined,
  vmi: VirtualMachineInstance,
): string | undefined {
  const where = `${vmi.metadata?.namespace}/${name}`;
  if (claim === undefined) return `PVC ${where} doesnt exist`;
  if (claim.spec.volumeMode === 'Block')
    return `backup target PVC must be a filesystem PVC, provided pvc ${where} is block`;
  if (vmi.spec.volumes?.some((volume) => claimName(volume) === name))
    return `backup target PVC ${where} is a disk of the guest itself`;
  return undefined;
}

/** The launcher Pod has the claim. */
export function isAttached(vmi: VirtualMachineInstance, volume: string): boolean {
  const status = vmi.status?.volumeStatus?.find(({ name }) => name === volume);
  return status?.hotplugVolume !== undefined && status.phase === 'MountedToPod';
}

/** Why it is not there yet, as far as the volume's status knows. */
export function attachTrouble(vmi: VirtualMachineInstance, volume: string): string | undefined {
  return vmi.status?.volumeStatus?.find(({ name }) => name === volume)?.message;
}

export function isDetached(vmi: VirtualMachineInstance, volume: string): boolean {
  return (
    vmi.spec.utilityVolumes?.some(({ name }) => name === volume) !== true &&
    vmi.status?.volumeStatus?.some(({ name }) => name === volume) !== true
  );
}

/** Empty when there is nothing to change. */
export function attachPatch(
  { spec }: VirtualMachineInstance,
  volume: string,
  claim: string,
): readonly JsonPatchOperation[] {
  const old = spec.utilityVolumes ?? [];
  if (old.some(({ name }) => name === volume)) return [];
  return change(spec.utilityVolumes, [...old, { name: volume, claimName: claim, type: 'Backup' }]);
}

export function detachPatch({ spec }: VirtualMachineInstance, volume: string): readonly JsonPatchOperation[] {
  const old = spec.utilityVolumes ?? [];
  const rest = old.filter(({ name }) => name !== volume);
  return rest.length === old.length ? [] : change(spec.utilityVolumes, rest);
}

function change(
  old: readonly UtilityVolume[] | undefined,
  next: readonly UtilityVolume[],
): readonly JsonPatchOperation[] {
  return guardedChange('/spec/utilityVolumes', old, next.length === 0 ? undefined : next);
}
