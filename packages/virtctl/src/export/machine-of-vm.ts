/** A VM in the words that other systems share, as far as they have words for it. Pure. */
import type { VirtualMachine } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import type { SourceNic } from '../import/machine.ts';

export interface ExportedMachine {
  readonly name: string;
  readonly cpus: number;
  readonly memoryMib: number;
  readonly firmware: 'bios' | 'efi';
  readonly secureBoot: boolean;
  readonly nics: readonly SourceNic[];
  /** Disks that have a claim, in the order of the VM. */
  readonly disks: readonly { readonly name: string; readonly claim: string }[];
  /** What cannot go along, in words. */
  readonly leftOut: readonly string[];
}

/** Models that VMware and VirtualBox know; they have no virtio. */
const MODELS: Readonly<Record<string, string>> = { e1000: 'E1000', e1000e: 'E1000e', pcnet: 'PCNet32' };

export function exportedMachine(vm: VirtualMachine): ExportedMachine {
  const spec = vm.spec.template?.spec;
  const { cpu, memory, resources, firmware, devices } = spec?.domain ?? { devices: {} };
  const size = memory?.guest ?? resources?.requests?.['memory'] ?? '1Gi';
  const efi = firmware?.bootloader?.efi;
  const volumes = new Map((spec?.volumes ?? []).map((volume) => [volume.name, volume]));
  const disks = (devices.disks ?? []).map(({ name }) => {
    const volume = volumes.get(name);
    return { name, claim: volume?.dataVolume?.name ?? volume?.persistentVolumeClaim?.claimName };
  });
  return {
    name: vm.metadata?.name ?? 'vm',
    cpus: (cpu?.sockets ?? 1) * (cpu?.cores ?? 1) * (cpu?.threads ?? 1),
    memoryMib: Math.ceil(parseQuantity(size).value() / 2 ** 20),
    firmware: efi === undefined ? 'bios' : 'efi',
    secureBoot: efi !== undefined && efi.secureBoot !== false,
    nics: (devices.interfaces ?? []).map(({ name, model = 'virtio', macAddress }) => ({
      model: MODELS[model] ?? 'E1000e',
      network: name,
      ...(macAddress === undefined ? {} : { mac: macAddress }),
    })),
    disks: disks.flatMap(({ name, claim }) => (claim === undefined ? [] : [{ name, claim }])),
    leftOut: disks.flatMap(({ name, claim }) => (claim === undefined ? [`disk ${name} has no claim`] : [])),
  };
}
