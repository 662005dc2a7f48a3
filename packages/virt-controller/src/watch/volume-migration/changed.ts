/** Which volumes of a running VMI its VM wants on other claims. Pure. */
import {
  claimName,
  isHotpluggable,
  type MigratedVolume,
  type VirtualMachineInstance,
  type Volume,
} from '@podvisor/api';
import type { StorageView } from '../vm/volumes/data-volumes.ts';
import { claimInfo } from '../vmi/volumes.ts';

/** A volume that both know, under another claim. */
export interface ChangedVolume {
  readonly name: string;
  /** Claims. */
  readonly from: string;
  readonly to: string;
  /** As the VM has it. */
  readonly volume: Volume;
}

/** Discs that come and go in a drive are exchanged, not copied. */
function isDisc({ spec }: Pick<VirtualMachineInstance, 'spec'>, volume: Volume): boolean {
  const drive = spec.domain.devices.disks?.find(({ name }) => name === volume.name)?.cdrom;
  return drive !== undefined && isHotpluggable(volume);
}

/** A claim of its own, or of a DataVolume: what a disk can be copied from and to. */
function disksClaim(volume: Volume): string | undefined {
  return volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined
    ? claimName(volume)
    : undefined;
}

export function changedVolumes(
  wanted: readonly Volume[],
  vmi: Pick<VirtualMachineInstance, 'spec'>,
): readonly ChangedVolume[] {
  const running = new Map((vmi.spec.volumes ?? []).map((volume) => [volume.name, disksClaim(volume)]));
  return wanted.flatMap((volume): ChangedVolume[] => {
    const [from, to] = [running.get(volume.name), disksClaim(volume)];
    if (from === undefined || to === undefined || from === to || isDisc(vmi, volume)) return [];
    return [{ name: volume.name, from, to, volume }];
  });
}

/** What the status tells of the move. */
export function migratedVolumes(
  changed: readonly ChangedVolume[],
  storage: Pick<StorageView, 'claim' | 'fileSystemOverhead'>,
): readonly MigratedVolume[] {
  const info = (name: string): MigratedVolume['sourcePVCInfo'] => {
    const claim = storage.claim(name);
    return claim === undefined ? { claimName: name } : claimInfo(claim, storage);
  };
  return changed.map(({ name, from, to }) => ({
    volumeName: name,
    sourcePVCInfo: info(from),
    destinationPVCInfo: info(to),
  }));
}

/** The VMI's volumes, with the changed ones as the VM has them. */
export function withChanged(
  volumes: readonly Volume[],
  changed: readonly ChangedVolume[],
): readonly Volume[] {
  const fresh = new Map(changed.map(({ name, volume }) => [name, volume]));
  return volumes.map((volume) => fresh.get(volume.name) ?? volume);
}

/** The volumes of the VM as they are before those that move have moved. */
export function withoutMigrations(
  wanted: readonly Volume[],
  vmi: Pick<VirtualMachineInstance, 'spec'>,
): readonly Volume[] {
  const running = new Map((vmi.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const moving = new Set(changedVolumes(wanted, vmi).map(({ name }) => name));
  return wanted.map((volume) => (moving.has(volume.name) ? (running.get(volume.name) ?? volume) : volume));
}

/** The same volumes on the claims that `others` have under their names. */
export function withClaimsOf(volumes: readonly Volume[], others: readonly Volume[]): readonly Volume[] {
  const known = new Map(others.map((volume) => [volume.name, volume]));
  return volumes.map((volume) => {
    const other = known.get(volume.name);
    const isClaim =
      disksClaim(volume) !== undefined && other !== undefined && disksClaim(other) !== undefined;
    return isClaim ? other : volume;
  });
}

/** Every volume that moves goes back to where it came from, and nothing else changes. */
export function isRevert(changed: readonly ChangedVolume[], moving: readonly MigratedVolume[]): boolean {
  const back = new Map(changed.map(({ name, to }) => [name, to]));
  return (
    changed.length === moving.length &&
    moving.every(
      ({ volumeName, sourcePVCInfo }) =>
        sourcePVCInfo?.claimName !== undefined && back.get(volumeName) === sourcePVCInfo.claimName,
    )
  );
}
