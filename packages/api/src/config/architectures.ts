/** Machine types and firmware by architecture. Pure. */
import type { ArchSpecificConfiguration, KubeVirtConfiguration } from '../types/index.ts';

export type Architecture = 'amd64' | 'arm64' | 's390x';

/** Machine types and firmware of one architecture. */
export interface ArchitectureDefaults {
  readonly machineType: string;
  /** Globs of the machine types that a VM may ask for. */
  readonly emulatedMachines: readonly string[];
  readonly ovmfPath: string;
}

const DEFAULTS: Readonly<Record<Architecture, ArchitectureDefaults>> = {
  amd64: { machineType: 'q35', emulatedMachines: ['q35*', 'pc-q35*'], ovmfPath: '/usr/share/edk2/ovmf' },
  arm64: { machineType: 'virt', emulatedMachines: ['virt*'], ovmfPath: '/usr/share/AAVMF' },
  s390x: { machineType: 's390-ccw-virtio', emulatedMachines: ['s390-ccw-virtio*'], ovmfPath: '' },
};

export function architectureSettings(
  configuration: KubeVirtConfiguration,
): Readonly<Record<Architecture, ArchitectureDefaults>> {
  const of = (name: Architecture): ArchitectureDefaults => {
    const own: ArchSpecificConfiguration = configuration.architectureConfiguration?.[name] ?? {};
    const defaults = DEFAULTS[name];
    // The old cluster-wide settings, where present, hold for every architecture.
    return {
      machineType: configuration.machineType || own.machineType || defaults.machineType,
      emulatedMachines: configuration.emulatedMachines ?? own.emulatedMachines ?? defaults.emulatedMachines,
      ovmfPath: configuration.ovmfPath || own.ovmfPath || defaults.ovmfPath,
    };
  };
  return { amd64: of('amd64'), arm64: of('arm64'), s390x: of('s390x') };
}
