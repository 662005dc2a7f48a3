/** Disks of volumes, their buses, and when images are pulled. */
import type { Draft } from '../../draft.ts';
import type { Disk, VMISpec } from '../../types/index.ts';

/** A moving tag is pulled at every start; a fixed tag or digest once. */
export function defaultPullPolicies(spec: Draft<VMISpec>): void {
  for (const { containerDisk } of spec.volumes ?? []) {
    if (containerDisk) containerDisk.imagePullPolicy ||= pullPolicyOf(containerDisk.image);
  }
}

/** A volume that no disk or filesystem uses becomes a disk of its own name. */
export function defaultVolumeDisks(spec: Draft<VMISpec>): void {
  const { devices } = spec.domain;
  const used = new Set(
    [...(devices.disks ?? []), ...(devices.filesystems ?? [])].map((device) => device.name),
  );
  for (const { name } of spec.volumes ?? []) {
    if (!used.has(name)) devices.disks = [...(devices.disks ?? []), { name }];
  }
}

/** A disk without a target is a hard disk; a CD-ROM is closed and read-only. */
export function defaultDiskTargets(spec: Draft<VMISpec>): void {
  for (const disk of spec.domain.devices.disks ?? []) {
    if (!disk.disk && !disk.cdrom && !disk.lun) disk.disk = {};
    if (disk.cdrom) {
      disk.cdrom.readonly ??= true;
      disk.cdrom.tray ||= 'closed';
    }
    const match = disk.blockSize?.matchVolume;
    if (match) match.enabled ??= true;
  }
}

/** SATA works with every x86 guest out of the box; the other architectures have no SATA. */
export function defaultDiskBuses(spec: Draft<VMISpec>): void {
  const bus = spec.architecture === 'arm64' || spec.architecture === 's390x' ? 'virtio' : 'sata';
  for (const disk of spec.domain.devices.disks ?? []) {
    for (const target of targetsOf(disk)) target.bus ||= bus;
  }
}

function targetsOf(disk: Draft<Disk>): { bus?: string }[] {
  return [disk.disk, disk.cdrom, disk.lun].filter((target) => target !== undefined);
}

function pullPolicyOf(image: string): string {
  return image.endsWith(':latest') || !/[:@]/.test(image) ? 'Always' : 'IfNotPresent';
}
