/** The table of `virtctl top`. Pure. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { ageText } from '../output/table.ts';
import { at, listOf, plainOf, textOf } from '../plain.ts';

export interface TopRow {
  readonly namespace: string;
  readonly name: string;
  readonly status: string;
  readonly node?: string;
  readonly ip?: string;
  /** Virtual CPUs. */
  readonly cpus: number;
  /** Memory of the guest, in bytes; absent when only an instance type knows it. */
  readonly memoryBytes?: number;
  /** Memory that the guest itself says it uses, in bytes; absent when it does not say (no balloon driver). */
  readonly guestUsedBytes?: number;
  /** What guest and launcher use; absent when no metrics are to be had. */
  readonly used?: { readonly milliCpu: number; readonly memoryBytes: number };
  readonly ageMs?: number;
}

export interface TopInput {
  readonly vms: readonly VirtualMachine[];
  readonly vmis: readonly VirtualMachineInstance[];
  /** PodMetrics of launcher Pods. */
  readonly metrics: readonly unknown[];
  /** What libvirt counts of each guest, by the VMI's UID. */
  readonly stats: ReadonlyMap<string, unknown>;
  readonly nowMs: number;
}

/** One row for each VM, and for each VMI without one; by namespace and name. */
export function topRows({ vms, vmis, metrics, stats, nowMs }: TopInput): readonly TopRow[] {
  const keyOf = (object: VirtualMachine | VirtualMachineInstance): string =>
    `${object.metadata?.namespace}/${object.metadata?.name}`;
  const instances = new Map(vmis.map((vmi) => [keyOf(vmi), vmi]));
  const machines = new Map(vms.map((vm) => [keyOf(vm), vm]));
  return [...new Set([...machines.keys(), ...instances.keys()])].toSorted().map((key) => {
    const vm = machines.get(key);
    const vmi = instances.get(key);
    const domain = vmi?.spec.domain ?? vm?.spec.template?.spec?.domain;
    const { sockets = 1, cores = 1, threads = 1 } = vmi?.status?.currentCPUTopology ?? domain?.cpu ?? {};
    const memory =
      vmi?.status?.memory?.guestCurrent ?? domain?.memory?.guest ?? domain?.resources?.requests?.['memory'];
    const used = usageOf(metrics, vmi?.metadata?.uid);
    const guestUsed = guestUsedOf(stats.get(vmi?.metadata?.uid ?? ''));
    const since = Date.parse((vmi ?? vm)?.metadata?.creationTimestamp ?? '');
    const ip = vmi?.status?.interfaces?.[0]?.ipAddress;
    return {
      namespace: (vm ?? vmi)?.metadata?.namespace ?? '',
      name: (vm ?? vmi)?.metadata?.name ?? '',
      status: vm?.status?.printableStatus ?? vmi?.status?.phase ?? 'Unknown',
      cpus: sockets * cores * threads,
      ...(vmi?.status?.nodeName === undefined ? {} : { node: vmi.status.nodeName }),
      ...(ip === undefined ? {} : { ip }),
      ...(memory === undefined ? {} : { memoryBytes: parseQuantity(memory).value() }),
      ...(guestUsed === undefined ? {} : { guestUsedBytes: guestUsed }),
      ...(used === undefined ? {} : { used }),
      ...(Number.isNaN(since) ? {} : { ageMs: nowMs - since }),
    };
  });
}

/** libvirt tells KiB: all that the guest sees, less what it could give to a program. */
function guestUsedOf(stats: unknown): number | undefined {
  const of = (name: string): number => Number(plainOf(stats)[`balloon.${name}`]);
  const free = Number.isNaN(of('usable')) ? of('unused') : of('usable');
  const used = (of('available') - free) * 1024;
  return Number.isNaN(used) ? undefined : used;
}

function usageOf(metrics: readonly unknown[], uid: string | undefined): TopRow['used'] {
  const pod = metrics.find(
    (one) => uid !== undefined && at(one, 'metadata', 'labels', 'kubevirt.io/created-by') === uid,
  );
  if (pod === undefined) return undefined;
  const usage = listOf(at(pod, 'containers')).map((container) => at(container, 'usage'));
  const sum = (key: string, read: (text: string) => number): number =>
    usage.reduce<number>((total, one) => total + read(textOf(at(one, key)) ?? '0'), 0);
  return {
    milliCpu: sum('cpu', (text) => parseQuantity(text).milliValue()),
    memoryBytes: sum('memory', (text) => parseQuantity(text).value()),
  };
}

/** What a Pod uses is more than its guest has: QEMU, the launcher, files that were read. */
export const TOP_HEADER = ['name', 'status', 'cpus', 'cpu used', 'memory', 'guest used', 'pod memory', 'age'];
export const WIDE_HEADER = [...TOP_HEADER, 'node', 'ip'];

/** Cells in the order of the header. */
export function topCells(row: TopRow, wide: boolean): readonly string[] {
  const mebibytes = (bytes: number | undefined): string =>
    bytes === undefined ? '-' : `${Math.round(bytes / 1_048_576)}Mi`;
  const cells = [
    row.name,
    row.status,
    String(row.cpus),
    row.used === undefined ? '-' : `${Math.round(row.used.milliCpu)}m`,
    mebibytes(row.memoryBytes),
    mebibytes(row.guestUsedBytes),
    mebibytes(row.used?.memoryBytes),
    row.ageMs === undefined ? '-' : ageText(row.ageMs),
  ];
  return wide ? [...cells, row.node ?? '-', row.ip ?? '-'] : cells;
}
