/** How much memory a launcher Pod needs on top of its guest. */
import type { VMISpec } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { cpuTopology, vcpuCountOf } from '../domain/cpu-topology.ts';
import type { OverheadTable } from './overhead-tables.ts';

/** What the formula needs besides the VMI. */
export interface OverheadOptions {
  readonly table: OverheadTable;
  /** Architecture of the guest. */
  readonly architecture: string;
  /** The cluster's `additionalGuestMemoryOverheadRatio`, e.g. `1.5`. */
  readonly ratio?: string | null;
}

/** Bytes that the Pod requests beyond the guest's memory. */
export function memoryOverheadBytes(spec: VMISpec, { table, architecture, ratio }: OverheadOptions): number {
  const { devices, resources, memory, launchSecurity } = spec.domain;
  const requested = resources?.requests?.memory;
  const probes = [spec.livenessProbe, spec.readinessProbe].filter(
    (probe) => probe?.exec !== undefined,
  ).length;
  const base =
    (requested === undefined ? 0 : Math.floor(parseQuantity(requested).value() / table.pageTableDivisor)) +
    table.processes +
    vcpuCountOf(cpuTopology(spec)) * table.perVcpu +
    table.ioThread +
    when(devices.autoattachGraphicsDevice !== false, table.graphics) +
    when(architecture === 'arm64', table.arm64) +
    when(usesVfio(spec), table.vfio) +
    when(usesDownwardMetrics(spec), table.downwardMetrics) +
    probes * table.probe +
    when(probes > 0, table.probeOnce) +
    when(launchSecurity?.sev !== undefined || launchSecurity?.snp !== undefined, table.sev) +
    when(devices.tpm !== undefined && devices.tpm.enabled !== false, table.tpm) +
    when(isGuaranteed(spec), table.guaranteed) +
    (memory?.reservedOverhead?.addedOverhead === undefined
      ? 0
      : parseQuantity(memory.reservedOverhead.addedOverhead).value());
  return base + additional(base, ratio);
}

/** The cluster's surcharge. Computed in thousands of bytes, as Kubernetes scales quantities, so that sums agree. */
function additional(bytes: number, ratio: string | null | undefined): number {
  const factor = ratio ? Number(ratio) : 1;
  if (!Number.isFinite(factor) || factor <= 1) return 0;
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

/** The Pod will be of QoS class Guaranteed: dedicated CPUs, or requests that equal limits. */
function isGuaranteed(spec: VMISpec): boolean {
  if (spec.domain.cpu?.dedicatedCpuPlacement) return true;
  const { requests, limits } = spec.domain.resources ?? {};
  return ['cpu', 'memory'].every((name) => {
    const request = requests?.[name];
    const limit = limits?.[name];
    return (
      request !== undefined &&
      limit !== undefined &&
      parseQuantity(request).compare(parseQuantity(limit)) === 0
    );
  });
}
