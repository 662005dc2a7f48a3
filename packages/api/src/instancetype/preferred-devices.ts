/** The device part of a preference. */
import type { Draft } from '../draft.ts';
import type { DevicePreferences, Disk, Interface, VMISpec } from '../types/index.ts';

type Spec = Draft<VMISpec>;
type Preferred = Draft<DevicePreferences>;

/** Switches that are taken over as they are, when the spec does not set them. */
const SWITCHES = [
  ['autoattachGraphicsDevice', 'preferredAutoattachGraphicsDevice'],
  ['autoattachMemBalloon', 'preferredAutoattachMemBalloon'],
  ['autoattachPodInterface', 'preferredAutoattachPodInterface'],
  ['autoattachSerialConsole', 'preferredAutoattachSerialConsole'],
  ['autoattachInputDevice', 'preferredAutoattachInputDevice'],
  ['useVirtioTransitional', 'preferredUseVirtioTransitional'],
  ['blockMultiQueue', 'preferredBlockMultiQueue'],
  ['networkInterfaceMultiqueue', 'preferredNetworkInterfaceMultiQueue'],
] as const;

/** Changes the draft. */
export function applyDevicePreferences(spec: Spec, preferred: Preferred): void {
  const { devices } = spec.domain;
  for (const [own, preference] of SWITCHES) {
    const value = preferred[preference];
    if (value !== undefined) devices[own] ??= value;
  }
  // False cannot be told from "not set", so the preference has always won.
  if (preferred.preferredDisableHotplug !== undefined)
    devices.disableHotplug = preferred.preferredDisableHotplug;
  if (preferred.preferredSoundModel && devices.sound) devices.sound.model ||= preferred.preferredSoundModel;
  if (preferred.preferredRng) devices.rng ??= preferred.preferredRng;
  if (preferred.preferredTPM) devices.tpm ??= preferred.preferredTPM;
  for (const disk of devices.disks ?? []) applyToDisk(disk, preferred);
  for (const nic of devices.interfaces ?? []) applyToInterface(nic, spec, preferred);
  for (const input of devices.inputs ?? []) {
    if (preferred.preferredInputBus) input.bus ||= preferred.preferredInputBus;
    if (preferred.preferredInputType) input.type ||= preferred.preferredInputType;
  }
  for (const gpu of devices.gpus ?? []) {
    if (preferred.preferredVirtualGPUOptions) gpu.virtualGPUOptions ??= preferred.preferredVirtualGPUOptions;
  }
  applyPanicDevices(spec, preferred);
  applyVideo(spec, preferred);
}

function applyToDisk(disk: Draft<Disk>, preferred: Preferred): void {
  if (!disk.disk && !disk.cdrom && !disk.lun) disk.disk = {};
  if (!disk.disk) {
    if (disk.cdrom && preferred.preferredCdromBus) disk.cdrom.bus ||= preferred.preferredCdromBus;
    else if (disk.lun && preferred.preferredLunBus) disk.lun.bus ||= preferred.preferredLunBus;
    return;
  }
  if (preferred.preferredDiskBus) disk.disk.bus ||= preferred.preferredDiskBus;
  if (preferred.preferredDiskBlockSize) disk.blockSize ??= structuredClone(preferred.preferredDiskBlockSize);
  if (preferred.preferredDiskCache) disk.cache ||= preferred.preferredDiskCache;
  if (preferred.preferredDiskIO) disk.io ||= preferred.preferredDiskIO;
  if (preferred.preferredDiskDedicatedIoThread !== undefined && disk.disk.bus === 'virtio')
    disk.dedicatedIOThread ??= preferred.preferredDiskDedicatedIoThread;
}

function applyToInterface(nic: Draft<Interface>, spec: Spec, preferred: Preferred): void {
  if (preferred.preferredInterfaceModel) nic.model ||= preferred.preferredInterfaceModel;
  const { binding, bridge, macvtap, masquerade, passt, passtBinding, slirp, sriov } = nic;
  const isBound = [binding, bridge, macvtap, masquerade, passt, passtBinding, slirp, sriov].some(
    (own) => own !== undefined,
  );
  const isPod = spec.networks?.some((network) => network.name === nic.name && network.pod);
  if (preferred.preferredInterfaceMasquerade && isPod && !isBound)
    nic.masquerade = preferred.preferredInterfaceMasquerade;
}

function applyPanicDevices(spec: Spec, { preferredPanicDeviceModel: model }: Preferred): void {
  if (model === undefined) return;
  const { devices } = spec.domain;
  if ((devices.panicDevices ?? []).length === 0) devices.panicDevices = [{}];
  for (const device of devices.panicDevices ?? []) device.model ??= model;
}

function applyVideo(spec: Spec, { preferredVideoType }: Preferred): void {
  const { devices } = spec.domain;
  if (preferredVideoType === undefined) return;
  devices.video ??= {};
  devices.video.type ||= preferredVideoType;
}
