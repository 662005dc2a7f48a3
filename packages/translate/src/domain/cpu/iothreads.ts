/** IO threads: how many, and which disk runs on which. */
import type { Disk, VMISpec } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import type { Part } from '../part.ts';

/** Threads of a VMI: `shared` ones are numbered from 1, dedicated ones follow. */
export interface IoThreadPlan {
  readonly total: number;
  readonly shared: number;
  /** Every virtio disk spreads its queues over all threads. */
  readonly pool: boolean;
}

/** How the disks of a VMI share IO threads; undefined when there are none. */
export function planIoThreads(spec: VMISpec): IoThreadPlan | undefined {
  const { ioThreadsPolicy: policy, devices } = spec.domain;
  const disks = devices.disks ?? [];
  const dedicated = disks.filter((disk) => disk.dedicatedIOThread === true).length;
  if (policy === undefined && dedicated === 0) return undefined;
  const pool = supplementalThreads(spec);
  if (pool !== undefined) return pool === 0 ? undefined : { total: pool, shared: pool, pool: true };
  const limit = policy === 'auto' ? autoLimit(spec) : policy === undefined || policy === 'shared' ? 1 : 0;
  const others = disks.length - dedicated;
  const shared = others + dedicated > limit ? Math.max(1, limit - dedicated) : others;
  return { total: shared + dedicated, shared, pool: false };
}

/** Threads beside the virtual CPUs, each of which gets a CPU of its own; undefined under any other policy. */
export function supplementalThreads({ domain }: VMISpec): number | undefined {
  if (domain.ioThreadsPolicy !== 'supplementalPool') return undefined;
  return domain.ioThreads?.supplementalPoolThreadCount;
}

/** Two threads for each CPU that was asked for; one where the emulator has its own CPU to share. */
function autoLimit(spec: VMISpec): number {
  if (spec.domain.cpu?.dedicatedCpuPlacement && spec.domain.cpu.isolateEmulatorThread) return 1;
  const resources = spec.domain.resources;
  const cpus = resources?.requests?.cpu ?? resources?.limits?.cpu;
  return 2 * (cpus === undefined ? 1 : parseQuantity(cpus).value());
}

/** The thread options of each disk, by position; undefined for disks that cannot use one. */
export function assignIoThreads(
  spec: VMISpec,
  buses: readonly string[],
): readonly ({ iothread: number } | { iothreads: { iothread: readonly { id: number }[] } } | undefined)[] {
  const plan = planIoThreads(spec);
  if (plan === undefined) return buses.map(() => undefined);
  let nextShared = 1;
  let nextDedicated = plan.shared + 1;
  return buses.map((bus, index) => {
    if (bus !== 'virtio') return undefined;
    if (plan.pool) return { iothreads: poolOf(plan.total) };
    if (spec.domain.devices.disks?.[index]?.dedicatedIOThread === true) return { iothread: nextDedicated++ };
    const iothread = nextShared;
    nextShared = (nextShared % plan.shared) + 1;
    return { iothread };
  });
}

/**
 * The thread of the SCSI controller, which serves all its disks: there when one of them asks for a thread of
 * its own, and the next shared one after those of the virtio disks. A pool belongs to virtio disks alone.
 */
export function scsiIoThread(spec: VMISpec): number | undefined {
  const disks = spec.domain.devices.disks ?? [];
  const plan = planIoThreads(spec);
  if (plan === undefined || plan.pool || plan.shared === 0) return undefined;
  if (!disks.some((disk) => disk.dedicatedIOThread === true && busOf(disk) === 'scsi')) return undefined;
  const before = disks.filter((disk) => disk.dedicatedIOThread !== true && busOf(disk) === 'virtio').length;
  return (before % plan.shared) + 1;
}

function busOf(disk: Disk): string | undefined {
  return (disk.lun ?? disk.disk ?? disk.cdrom)?.bus;
}

function poolOf(total: number): { iothread: readonly { id: number }[] } {
  return { iothread: Array.from({ length: total }, (_, index) => ({ id: index + 1 })) };
}

/** `<iothreads>` */
export const ioThreadsPart: Part = {
  name: 'iothreads',
  fields: [
    'spec.domain.ioThreadsPolicy',
    'spec.domain.ioThreads',
    'spec.domain.devices.disks[].dedicatedIOThread',
  ],
  convert: ({ spec }) => {
    const plan = planIoThreads(spec);
    return plan === undefined || plan.total === 0 ? {} : { ioThreads: plan.total };
  },
};
