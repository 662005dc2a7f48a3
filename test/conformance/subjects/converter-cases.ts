/** Recorded conversions: VMI and context → facts about the domain XML. */
import type { VirtualMachineInstance } from '@podvisor/api';
import {
  type ConverterContext,
  convertVmiToDomain,
  type DomainHostDevice,
  domainToXml,
  type VolumeFacts,
} from '@podvisor/translate';
import { parseXml } from '../../../packages/translate/src/xml/parse.ts';
import type { Assumed } from '../assumed.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';
import { type Attempt, attempt, attemptDifferences } from './attempt.ts';
import { type Fact, factDifferences } from './xpath.ts';

interface RecordedAddress {
  readonly Type: string;
  readonly Domain: string;
  readonly Bus: string;
  readonly Slot: string;
  readonly Function: string;
  readonly UUID?: string;
}
interface RecordedHostDevice {
  readonly Type: string;
  readonly Model?: string;
  readonly Display?: string;
  readonly RamFB?: string;
  readonly Managed: string;
  readonly Mode: string;
  readonly Source: { readonly Address: RecordedAddress | null };
  readonly Alias: { readonly Name: string } | string | null;
}
interface RecordedContext {
  readonly AllowEmulation?: boolean;
  readonly HypervisorDeviceAvailable?: boolean;
  readonly IsBlockPVC?: Readonly<Record<string, boolean>>;
  readonly IsBlockDV?: Readonly<Record<string, boolean>>;
  readonly MemBalloonStatsPeriod?: number;
  readonly UseVirtioTransitional?: boolean;
  readonly FreePageReporting?: boolean;
  readonly SerialConsoleLog?: boolean;
  readonly DomainAttachmentByInterfaceName?: Readonly<Record<string, string>>;
  readonly EFIConfiguration?: {
    readonly EFICode: string;
    readonly EFIVars: string;
    readonly SecureLoader: boolean;
    readonly UsesFirmwareAutoSelection: boolean;
  };
  readonly DisksInfo?: Readonly<Record<string, { readonly format: string }>>;
  readonly ApplyCBT?: Readonly<Record<string, string>>;
  readonly CPUSet?: readonly number[];
  readonly Topology?: {
    readonly numa_cells: readonly {
      readonly id?: number;
      readonly memory?: { readonly amount: number };
      readonly cpus: readonly { readonly id?: number; readonly siblings?: readonly number[] }[];
    }[];
  };
  readonly GenericHostDevices?: readonly RecordedHostDevice[];
  readonly GPUHostDevices?: readonly RecordedHostDevice[];
  readonly SRIOVDevices?: readonly RecordedHostDevice[];
  readonly BochsForEFIGuests?: boolean;
  readonly HotplugVolumes?: Readonly<Record<string, unknown>>;
  readonly VolumesDiscardIgnore?: readonly string[];
  readonly IOMMUFDEnabled?: boolean;
  readonly PCINUMAAwareTopologyEnabled?: boolean;
  readonly AllowCrossArchEmulation?: boolean;
  readonly HostArchitecture?: string;
}
interface Input {
  readonly arch: string;
  readonly context: RecordedContext;
  readonly vmi: VirtualMachineInstance;
}
interface Expected {
  readonly error: string | null;
  readonly facts: readonly Fact[] | null;
}

/** Directories that the recording ran with. */
const RECORDED_PATHS = {
  overlays: '/var/run/libvirt/kubevirt-ephemeral-disk',
  cloudInit: '/var/run/libvirt/cloud-init-dir',
};

/** Guests that run as root keep their EFI variables where libvirt does, others in a directory of their own. */
const NVRAM = { root: '/var/lib/libvirt/qemu/nvram', other: '/var/run/kubevirt-private/libvirt/qemu/nvram' };

export const converterCases = subject<Input, Expected, Attempt<string>>(
  'conversion',
  /^converter\/cases\.jsonl$/,
  {
    load: jsonCases<Input, Expected>(
      { arch: 'input', context: 'input', vmi: 'input', error: 'expected', facts: 'expected' },
      ['test', 'xml'],
    ),
    answer: (input, assumed) =>
      attempt(() => domainToXml(convertVmiToDomain(input.vmi, contextOf(input, assumed)))),
    compare: ({ error, facts }, answer) =>
      attemptDifferences(error, answer, (xml) => factDifferences(parseXml(xml), facts ?? [])),
  },
);

function contextOf({ context, arch, vmi }: Input, { smbios }: Assumed): ConverterContext {
  return {
    architecture: arch,
    allowEmulation: context.AllowEmulation ?? false,
    // The recorded converter leaves ports to a later step.
    hotplugPorts: false,
    kvmAvailable: context.HypervisorDeviceAvailable ?? false,
    interfaces: Object.entries(context.DomainAttachmentByInterfaceName ?? {}).map(([name, attachment]) => ({
      name,
      ...(attachment === 'managedTap' ? { domainAttachment: 'managedTap' as const } : {}),
    })),
    iommufd: context.IOMMUFDEnabled,
    ...(context.AllowCrossArchEmulation === undefined
      ? {}
      : { allowCrossArchitectures: context.AllowCrossArchEmulation }),
    ...(context.HostArchitecture ? { hostArchitecture: context.HostArchitecture } : {}),
    numaAwarePci: context.PCINUMAAwareTopologyEnabled,
    volumes: volumesOf(context, vmi),
    memBalloonStatsPeriodSeconds: context.MemBalloonStatsPeriod,
    freePageReporting: context.FreePageReporting,
    serialConsoleLog: context.SerialConsoleLog,
    transitionalDisks: context.UseVirtioTransitional,
    bochsForEfiGuests: context.BochsForEFIGuests,
    cpuSet: context.CPUSet,
    hostTopology: context.Topology?.numa_cells.map(({ id = 0, memory, cpus }) => ({
      id,
      memoryBytes: memory?.amount,
      cpus: cpus.map(({ id: cpu = 0, siblings }) => ({ id: cpu, ...(siblings ? { siblings } : {}) })),
    })),
    hostDevices: context.GenericHostDevices?.map(hostDevice),
    gpus: context.GPUHostDevices?.map(hostDevice),
    sriovDevices: context.SRIOVDevices?.map(hostDevice),
    ...(context.EFIConfiguration === undefined
      ? {}
      : {
          efi: {
            code: context.EFIConfiguration.EFICode,
            vars: context.EFIConfiguration.EFIVars,
            secureLoader: context.EFIConfiguration.SecureLoader,
            autoSelection: context.EFIConfiguration.UsesFirmwareAutoSelection,
          },
        }),
    ...(smbios === undefined ? {} : { smbios }),
    paths: { ...RECORDED_PATHS, nvram: (vmi.status?.runtimeUser ?? 0) === 0 ? NVRAM.root : NVRAM.other },
  };
}

function volumesOf(context: RecordedContext, vmi: VirtualMachineInstance): Record<string, VolumeFacts> {
  return Object.fromEntries(
    (vmi.spec.volumes ?? []).map(({ name, containerDisk }): [string, VolumeFacts] => [
      name,
      {
        ...(containerDisk !== undefined && context.DisksInfo?.[name]?.format === 'raw'
          ? { backing: { format: 'raw' } }
          : {}),
        block: context.IsBlockPVC?.[name] ?? context.IsBlockDV?.[name] ?? false,
        hotplugged: name in (context.HotplugVolumes ?? {}),
        preallocated: context.VolumesDiscardIgnore?.includes(name) ?? false,
        changedBlockTrackingFile: context.ApplyCBT?.[name],
      },
    ]),
  );
}

function hostDevice(device: RecordedHostDevice): DomainHostDevice {
  const { Type, Managed, Mode, Model, Display, RamFB, Source, Alias } = device;
  const alias = typeof Alias === 'string' ? Alias : Alias?.Name;
  return {
    ...(Mode ? { mode: Mode } : {}),
    type: Type,
    managed: Managed,
    ...(Model ? { model: Model } : {}),
    ...(Display ? { display: Display } : {}),
    ...(RamFB ? { ramfb: RamFB } : {}),
    source: Source.Address === null ? {} : { address: addressOf(Source.Address) },
    ...(alias === undefined ? {} : { alias: { name: `ua-${alias}` } }),
  };
}

function addressOf({
  Type,
  Domain,
  Bus,
  Slot,
  Function: fn,
  UUID,
}: RecordedAddress): NonNullable<NonNullable<DomainHostDevice['source']>['address']> {
  return UUID
    ? { uuid: UUID }
    : { ...(Type ? { type: Type } : {}), domain: Domain, bus: Bus, slot: Slot, function: fn };
}
