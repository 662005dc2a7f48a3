/**
 * Which changes of a VM's volumes a running VMI can follow: claims marked as hotpluggable come, go and are
 * exchanged, with their disks, or as discs of a CD drive that stays. Pure.
 */
import {
  isHotpluggable,
  isMemoryDump,
  type Disk,
  type VirtualMachineInstance,
  type VMISpec,
  type Volume,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { type JsonPatchOperation, guardedListChange } from '@podvisor/kube';

interface Disks {
  readonly volumes: readonly Volume[];
  readonly disks: readonly Disk[];
}

function disksOf(spec: VMISpec | undefined): Disks {
  return { volumes: spec?.volumes ?? [], disks: spec?.domain.devices.disks ?? [] };
}

/** The VMI's volumes and disks as its VM's template wants them, as far as they can follow. */
export function liveVolumes(template: VMISpec | undefined, vmi: VirtualMachineInstance): Disks {
  const desired = disksOf(template);
  const now = disksOf(vmi.spec);
  const desiredByName = new Map(desired.volumes.map((volume) => [volume.name, volume]));
  const leaves = (volume: Volume): boolean =>
    // Dumps of memory come and go by requests of their own.
    isHotpluggable(volume) && !isMemoryDump(volume) && !deepEqual(volume, desiredByName.get(volume.name));
  const left = new Set(now.volumes.filter(leaves).map(({ name }) => name));
  // An exchange is made in two steps: the new claim comes when the old one is gone altogether.
  const isFree = (name: string): boolean =>
    !now.volumes.some((volume) => volume.name === name) &&
    vmi.status?.volumeStatus?.some((status) => status.name === name) !== true;
  const come = desired.volumes.filter(
    (volume) => isHotpluggable(volume) && !isMemoryDump(volume) && isFree(volume.name),
  );
  const drives = new Set(now.disks.filter(({ cdrom }) => cdrom !== undefined).map(({ name }) => name));
  const comers = new Set(come.map(({ name }) => name));
  return {
    volumes: [...now.volumes.filter(({ name }) => !left.has(name)), ...come.filter(hasDisk(desired, drives))],
    disks: [
      ...now.disks.filter(({ name }) => !left.has(name) || drives.has(name)),
      // A drive is part of the machine: only discs come to a running guest.
      ...desired.disks.filter(({ name, cdrom }) => comers.has(name) && cdrom === undefined),
    ],
  };
}

function hasDisk({ disks }: Disks, drives: ReadonlySet<string>): (volume: Volume) => boolean {
  return ({ name }) => {
    const disk = disks.find((candidate) => candidate.name === name);
    return disk !== undefined && (disk.cdrom === undefined || drives.has(name));
  };
}

/** The patch of the VMI's spec; empty when it is as it should be. */
export function liveVolumesPatch(
  template: VMISpec | undefined,
  vmi: VirtualMachineInstance,
): readonly JsonPatchOperation[] {
  const wanted = liveVolumes(template, vmi);
  return [
    ...guardedListChange('/spec/volumes', vmi.spec.volumes, wanted.volumes),
    ...guardedListChange('/spec/domain/devices/disks', vmi.spec.domain.devices.disks, wanted.disks),
  ];
}

/** The part of a template's volumes and disks that only a restart changes. */
export function frozenVolumes(spec: VMISpec | undefined): Disks {
  const { volumes, disks } = disksOf(spec);
  const plugged = new Set(volumes.filter(isHotpluggable).map(({ name }) => name));
  return {
    volumes: volumes.filter(({ name }) => !plugged.has(name)),
    disks: disks.filter(({ name, cdrom }) => cdrom !== undefined || !plugged.has(name)),
  };
}
