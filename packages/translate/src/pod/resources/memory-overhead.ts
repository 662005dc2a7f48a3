/** How much memory a launcher Pod needs on top of its guest. */
import type { VMISpec } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { cpuTopology, vcpuCountOf } from '../../domain/cpu/cpu-topology.ts';
import type { OverheadTable } from './overhead-tables.ts';

/** What the formula needs besides the VMI. */
export interface OverheadOptions {
  readonly table: OverheadTable;
  /** Architecture of the guest. */
  readonly architecture: string;
  /** The guest runs in software emulation. */
  readonly emulated?: boolean;
  /** The cluster's `additionalGuestMemoryOverheadRatio`, e.g. `1.5`. */
  readonly ratio?: string | null;
}

/** One reason for memory beyond the guest's. */
export interface OverheadItem {
  readonly what: string;
  /** The field or rule that asks for it. */
  readonly from: string;
  readonly bytes: number;
}

/** Bytes that the Pod requests beyond the guest's memory. */
export function memoryOverheadBytes(spec: VMISpec, options: OverheadOptions): number {
  return explainOverhead(spec, options).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The same, item by item; items that ask for nothing are left out. */
export function explainOverhead(spec: VMISpec, options: OverheadOptions): readonly OverheadItem[] {
  const items = baseItems(spec, options).filter(({ bytes }) => bytes > 0);
  const base = items.reduce((sum, { bytes }) => sum + bytes, 0);
  const surcharge = additional(base, options.ratio);
  if (surcharge === 0) return items;
  const from = 'KubeVirt spec.configuration.additionalGuestMemoryOverheadRatio';
  return [...items, { what: `surcharge × ${options.ratio}`, from, bytes: surcharge }];
}

function baseItems(spec: VMISpec, options: OverheadOptions): readonly OverheadItem[] {
  const { table, architecture, emulated = false } = options;
  const { devices, resources, memory, launchSecurity } = spec.domain;
  const requested = resources?.requests?.memory;
  const vcpus = countedVcpus(spec);
  const probes = [spec.livenessProbe, spec.readinessProbe].filter(
    (probe) => probe?.exec !== undefined,
  ).length;
  const item = (what: string, from: string, bytes: number): OverheadItem => ({ what, from, bytes });
  const probeFields = 'spec.livenessProbe.exec, spec.readinessProbe.exec';
  const added = memory?.reservedOverhead?.addedOverhead;
  return [
    item(
      `page tables (memory / ${table.pageTableDivisor})`,
      'spec.domain.resources.requests.memory',
      requested === undefined ? 0 : Math.floor(thousands(requested) / table.pageTableDivisor),
    ),
    item('launcher, libvirt and QEMU', 'always', table.processes),
    item(`${vcpus} virtual CPUs`, 'spec.domain.cpu', vcpus * table.perVcpu),
    item('IO thread', 'always', table.ioThread),
    item(
      'graphics',
      'spec.domain.devices.autoattachGraphicsDevice, unless false',
      when(devices.autoattachGraphicsDevice !== false, table.graphics),
    ),
    item('UEFI of arm64 guests', 'spec.architecture', when(architecture === 'arm64', table.arm64)),
    item(
      'mapped memory of passed-through devices',
      'spec.domain.devices.gpus, hostDevices, interfaces[].sriov',
      when(usesVfio(spec), table.vfio),
    ),
    item(
      'downward metrics',
      'spec.volumes[].downwardMetrics',
      when(usesDownwardMetrics(spec), table.downwardMetrics),
    ),
    item('probes that run inside the Pod', probeFields, probes * table.probe),
    item('the first such probe', probeFields, when(probes > 0, table.probeOnce)),
    item(
      'encrypted memory',
      'spec.domain.launchSecurity',
      when(launchSecurity?.sev !== undefined || launchSecurity?.snp !== undefined, table.sev),
    ),
    item(
      'TPM',
      'spec.domain.devices.tpm',
      when(devices.tpm !== undefined && devices.tpm.enabled !== false, table.tpm),
    ),
    item(
      'translated code of software emulation',
      'KubeVirt spec.configuration.developerConfiguration.useEmulation',
      when(emulated, table.emulation),
    ),
    item(
      'a Pod whose limit equals its request',
      'spec.domain.cpu.dedicatedCpuPlacement, or requests = limits',
      when(isGuaranteed(spec), table.guaranteed),
    ),
    item(
      'reserved by the VMI',
      'spec.domain.memory.reservedOverhead.addedOverhead',
      added === undefined ? 0 : parseQuantity(added).value(),
    ),
  ];
}

/** A quantity in bytes, rounded up to thousands: the formula counts page tables from that. */
function thousands(quantity: string | number): number {
  return Math.ceil(parseQuantity(quantity).value() / 1000) * 1000;
}

/** Virtual CPUs as they are counted here: resources tell only for a VMI that says nothing about its CPU. */
function countedVcpus(spec: VMISpec): number {
  const { resources: _resources, ...domain } = spec.domain;
  return vcpuCountOf(cpuTopology(spec.domain.cpu === undefined ? spec : { ...spec, domain }));
}

/** The cluster's surcharge. Computed in thousands of bytes, as Kubernetes scales quantities, so that sums agree. */
function additional(bytes: number, ratio: string | null | undefined): number {
  const factor = ratio ? Number(ratio) : 1;
  if (!Number.isFinite(factor)) return 0;
  return Math.trunc(Math.ceil(bytes / 1000) * (factor - 1)) * 1000;
}

function when(condition: boolean, bytes: number): number {
  return condition ? bytes : 0;
}

/** Some device of the host is handed to the guest. */
export function usesVfio(spec: VMISpec): boolean {
  const { gpus = [], hostDevices = [], interfaces = [] } = spec.domain.devices;
  return gpus.length > 0 || hostDevices.length > 0 || interfaces.some((nic) => nic.sriov !== undefined);
}

function usesDownwardMetrics(spec: VMISpec): boolean {
  return spec.volumes?.some((volume) => volume.downwardMetrics !== undefined) ?? false;
}

/**
 * The Pod will be of QoS class Guaranteed: dedicated CPUs, or requests that equal limits. Memory that is limited and not
 * asked for is asked for as it is limited.
 */
export function isGuaranteed(spec: VMISpec): boolean {
  if (spec.domain.cpu?.dedicatedCpuPlacement) return true;
  const { requests, limits } = spec.domain.resources ?? {};
  const amounts = (name: string) =>
    [parseQuantity(requests?.[name] ?? 0), parseQuantity(limits?.[name] ?? 0)] as const;
  const [cpu, mostCpu] = amounts('cpu');
  const [memory, mostMemory] = amounts('memory');
  const isMemoryMeant = memory.nano === 0n ? mostMemory.nano !== 0n : memory.compare(mostMemory) === 0;
  return isMemoryMeant && cpu.nano !== 0n && cpu.compare(mostCpu) === 0;
}
