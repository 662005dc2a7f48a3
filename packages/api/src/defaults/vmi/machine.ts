/** Architecture, machine type, bootloader and the PCI layout that follow from them. */
import { architectureDefaults, type ClusterConfig } from '../../config/cluster-config.ts';
import type { Draft } from '../../draft.ts';
import type { VMISpec } from '../../types/index.ts';

export function defaultArchitecture(spec: Draft<VMISpec>, config: ClusterConfig): void {
  spec.architecture ||= config.defaultArchitecture;
}

export function defaultMachineType(spec: Draft<VMISpec>, config: ClusterConfig): void {
  spec.domain.machine ??= {};
  spec.domain.machine.type ||= architectureDefaults(config, spec.architecture).machineType;
}

/** arm64 has no BIOS: EFI, and without Secure Boot unless it is asked for. */
export function defaultBootloader(spec: Draft<VMISpec>): void {
  if (spec.architecture !== 'arm64') return;
  spec.domain.firmware ??= {};
  spec.domain.firmware.bootloader ??= { efi: {} };
  const { efi } = spec.domain.firmware.bootloader;
  if (efi) efi.secureBoot ??= false;
}

/**
 * True when the guest has PCIe root ports to plug into: x86 and Arm machines of the q35 and virt families.
 * A missing architecture counts as x86.
 */
export function hasPcieTopology(spec: VMISpec): boolean {
  if (!['amd64', 'arm64', ''].includes(spec.architecture ?? '')) return false;
  const { machine } = spec.domain;
  if (!machine) return true;
  return (machine.type ?? '').includes('q35') || (machine.type ?? '').startsWith('virt');
}
