/**
 * What becomes of a machine of another system: the VM, its disks, and for each device a line that says what it was,
 * what it becomes, and what cannot be kept. Pure. A disk or a network card changes to virtio only where the guest ran
 * with virtio before or somebody says that it has the drivers: a guest without them does not boot.
 */
import type { KubernetesObject } from '@podvisor/api';
import {
  type DiskSource,
  kubernetesName,
  type SourceDisk,
  type SourceMachine,
  type SourceNic,
} from './machine.ts';

export interface ImportOptions {
  readonly name?: string;
  readonly namespace: string;
  /** The guest has virtio drivers. */
  readonly virtio: boolean;
  /** `N=NETWORK`: the network attachment for the card with this number, from 1. */
  readonly networks: readonly string[];
  readonly start: boolean;
}

export interface ImportRow {
  readonly device: string;
  readonly was: string;
  readonly becomes: string;
  readonly note: string;
}

export interface ImportPlan {
  readonly vm: KubernetesObject & Readonly<Record<string, unknown>>;
  readonly rows: readonly ImportRow[];
  /** DataVolumes that wait for bytes, in order. */
  readonly uploads: readonly { readonly volume: string; readonly source: DiskSource }[];
}

const MIB = 1024 * 1024;
const NO_DRIVERS = 'virtio drivers are not known to be in the guest; --virtio when they are';
const MODELS: Readonly<Record<string, string>> = {
  virtio: 'virtio',
  e1000: 'e1000',
  e1000e: 'e1000e',
  rtl8139: 'rtl8139',
  pcnet32: 'pcnet',
  pcnet: 'pcnet',
  ne2k_pci: 'ne2k_pci',
};

export function planImport(machine: SourceMachine, options: ImportOptions): ImportPlan {
  const name = options.name ?? kubernetesName(machine.name);
  const disks = machine.disks.map((disk, index) => diskPlan(disk, index, name, options));
  const nics = machine.nics.map((nic, index) => nicPlan(nic, index, options));
  const kept = nics.flatMap(({ kept: one }) => one ?? []);
  const rows = [
    ...machineRows(machine, name),
    ...disks.map(({ row }) => row),
    ...nics.map(({ row }) => row),
    ...machine.others.map((what) => ({ device: what, was: '', becomes: 'nothing', note: 'cannot be kept' })),
  ];
  const vm = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: options.namespace },
    spec: {
      runStrategy: options.start ? 'Always' : 'Halted',
      dataVolumeTemplates: disks.map(({ template }) => template),
      template: {
        metadata: {},
        spec: {
          domain: {
            cpu: { cores: machine.cpus },
            memory: { guest: `${machine.memoryMib}Mi` },
            firmware: firmwareOf(machine),
            features: featuresOf(machine),
            devices: {
              disks: disks.map(({ disk }) => disk),
              interfaces: kept.map((one) => one.interface),
              ...(machine.tpm ? { tpm: { persistent: true } } : {}),
              ...(kept.length === 0 ? { autoattachPodInterface: false } : {}),
            },
          },
          networks: kept.map(({ network }) => network),
          volumes: disks.map(({ volume }) => volume),
        },
      },
    },
  };
  return { vm, rows, uploads: disks.map(({ dataVolume, source }) => ({ volume: dataVolume, source })) };
}

function machineRows(machine: SourceMachine, name: string): readonly ImportRow[] {
  const efi = machine.secureBoot ? 'EFI, Secure Boot' : 'EFI';
  return [
    { device: 'name', was: machine.name, becomes: name, note: '' },
    { device: 'CPUs', was: `${machine.cpus}`, becomes: `${machine.cpus} cores`, note: '' },
    { device: 'memory', was: `${machine.memoryMib} MiB`, becomes: `${machine.memoryMib}Mi`, note: '' },
    machine.firmware === 'efi'
      ? {
          device: 'firmware',
          was: efi,
          becomes: efi,
          note: 'boot entries are not kept: the disk must have EFI/BOOT/BOOTX64.EFI',
        }
      : { device: 'firmware', was: 'BIOS', becomes: 'BIOS', note: '' },
    ...(machine.tpm
      ? [
          {
            device: 'TPM',
            was: 'yes',
            becomes: 'a new one',
            note: 'its keys are not kept (BitLocker asks for its recovery key)',
          },
        ]
      : []),
  ];
}

function firmwareOf({ firmware, secureBoot, uuid }: SourceMachine): object {
  return {
    bootloader: firmware === 'efi' ? { efi: { secureBoot } } : { bios: {} },
    ...(uuid === undefined ? {} : { uuid }),
  };
}

function featuresOf({ os, secureBoot }: SourceMachine): object {
  return {
    acpi: {},
    ...(secureBoot ? { smm: { enabled: true } } : {}),
    ...(os === 'windows' ? { hyperv: { relaxed: {}, vapic: {}, spinlocks: { spinlocks: 8191 } } } : {}),
  };
}

function diskPlan(
  { name: was, bus, sizeBytes, source }: SourceDisk,
  index: number,
  vm: string,
  { virtio }: ImportOptions,
) {
  const becomes = virtio || bus === 'virtio' ? 'virtio' : 'sata';
  const name = `disk${index + 1}`;
  const dataVolume = `${vm}-${name}`;
  // A little more than the disk: what lies beside it in a claim with a file system must fit, too.
  const storage = `${Math.ceil(sizeBytes / MIB)}Mi`;
  return {
    dataVolume,
    source,
    disk: { name, disk: { bus: becomes }, ...(index === 0 ? { bootOrder: 1 } : {}) },
    volume: { name, dataVolume: { name: dataVolume } },
    template: {
      metadata: { name: dataVolume },
      spec: { storage: { resources: { requests: { storage } } }, source: { upload: {} } },
    },
    row: {
      device: `disk ${index + 1}`,
      was: `${was}, ${bus}, ${storage}`,
      becomes: `${dataVolume}, ${becomes}`,
      note: becomes === 'virtio' ? '' : bus === 'sata' ? NO_DRIVERS : `${bus} is not there; ${NO_DRIVERS}`,
    },
  };
}

function nicPlan({ model, mac, network }: SourceNic, index: number, { virtio, networks }: ImportOptions) {
  const given = networks.find((text) => text.startsWith(`${index + 1}=`))?.slice(`${index + 1}=`.length);
  const becomes = virtio ? 'virtio' : (MODELS[model] ?? 'e1000e');
  const device = `network card ${index + 1}`;
  const was = `${model}, ${mac ?? 'no address'}, in ${network}`;
  if (index > 0 && given === undefined)
    return {
      row: { device, was, becomes: 'nothing', note: `--network ${index + 1}=NAME for a network attachment` },
    };
  const name = given === undefined ? 'default' : `net${index + 1}`;
  const changed = becomes === model || virtio ? '' : `${model} is not there; ${NO_DRIVERS}`;
  return {
    kept: {
      interface: {
        name,
        model: becomes,
        ...(mac === undefined ? {} : { macAddress: mac }),
        ...(given === undefined ? { masquerade: {} } : { bridge: {} }),
      },
      network: { name, ...(given === undefined ? { pod: {} } : { multus: { networkName: given } }) },
    },
    row: {
      device,
      was,
      becomes: `${becomes}, ${mac ?? 'a new address'}, in ${given ?? 'the Pod network'}`,
      note: changed,
    },
  };
}
