/** A preference applied to the spec of a VMI: it fills gaps and never overrides. */
import type { Draft } from '../draft.ts';
import type { Features, ObjectMeta, VirtualMachinePreferenceSpec, VMISpec } from '../types/index.ts';
import { applyDevicePreferences } from './preferred-devices.ts';

type Spec = Draft<VMISpec>;
type Preference = Draft<VirtualMachinePreferenceSpec>;

/** Changes the draft. */
export function applyPreference(spec: Spec, metadata: Draft<ObjectMeta>, preference: Preference): void {
  applyCpuFeatures(spec, preference);
  if (preference.devices) applyDevicePreferences(spec, preference.devices);
  applyFeatures(spec, preference);
  applyFirmware(spec, preference);
  if (preference.machine?.preferredMachineType) {
    spec.domain.machine ??= {};
    spec.domain.machine.type ||= preference.machine.preferredMachineType;
  }
  applyClock(spec, preference);
  if (preference.preferredSubdomain) spec.subdomain ||= preference.preferredSubdomain;
  if (preference.preferredTerminationGracePeriodSeconds !== undefined)
    spec.terminationGracePeriodSeconds ??= preference.preferredTerminationGracePeriodSeconds;
  if (preference.preferredArchitecture) spec.architecture ||= preference.preferredArchitecture;
  if (preference.preferredLaunchSecurity) spec.domain.launchSecurity ??= preference.preferredLaunchSecurity;
  if (preference.annotations) metadata.annotations = { ...preference.annotations, ...metadata.annotations };
}

function applyCpuFeatures(spec: Spec, { cpu }: Preference): void {
  const preferred = cpu?.preferredCPUFeatures ?? [];
  if (preferred.length === 0) return;
  spec.domain.cpu ??= {};
  const own = spec.domain.cpu.features ?? [];
  const added = preferred.filter((feature) => !own.some((other) => other.name === feature.name));
  spec.domain.cpu.features = [...own, ...added];
}

function applyFeatures(spec: Spec, { features }: Preference): void {
  if (!features) return;
  const own: Draft<Features> = spec.domain.features ?? {};
  spec.domain.features = own;
  // ACPI cannot be told from "not set", so the preference has always won.
  if (features.preferredAcpi) own.acpi = features.preferredAcpi;
  if (features.preferredApic) own.apic ??= features.preferredApic;
  if (features.preferredKvm) own.kvm ??= features.preferredKvm;
  if (features.preferredPvspinlock) own.pvspinlock ??= features.preferredPvspinlock;
  if (features.preferredSmm) own.smm ??= features.preferredSmm;
  if (features.preferredHyperv) own.hyperv = { ...features.preferredHyperv, ...own.hyperv };
}

function applyFirmware(spec: Spec, { firmware }: Preference): void {
  if (!firmware) return;
  spec.domain.firmware ??= {};
  spec.domain.firmware.bootloader ??= {};
  const { bootloader } = spec.domain.firmware;
  if (firmware.preferredUseBios && !bootloader.bios && !bootloader.efi) bootloader.bios = {};
  if (firmware.preferredUseBiosSerial !== undefined && bootloader.bios)
    bootloader.bios.useSerial ??= firmware.preferredUseBiosSerial;
  const isOpen = !bootloader.bios && !bootloader.efi;
  if (isOpen && firmware.preferredEfi) {
    bootloader.efi = firmware.preferredEfi;
    return;
  }
  if (isOpen && firmware.preferredUseEfi) bootloader.efi = {};
  if (firmware.preferredUseSecureBoot !== undefined && bootloader.efi)
    bootloader.efi.secureBoot ??= firmware.preferredUseSecureBoot;
}

function applyClock(spec: Spec, { clock }: Preference): void {
  if (!clock) return;
  spec.domain.clock ??= {};
  const own = spec.domain.clock;
  // An offset is taken whole or not at all.
  if (clock.preferredClockOffset && !own.utc && own.timezone === undefined)
    Object.assign(own, clock.preferredClockOffset);
  if (clock.preferredTimer) own.timer ??= clock.preferredTimer;
}
