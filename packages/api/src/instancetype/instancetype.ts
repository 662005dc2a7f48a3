/** An instance type applied to the spec of a VMI, one resource after the other. */
import { Amount, parseQuantity, memberOf } from '@podvisor/base';
import type { Draft } from '../draft.ts';
import type {
  ObjectMeta,
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
  VMISpec,
} from '../types/index.ts';
import { topologyOf } from './topology.ts';

type Spec = Draft<VMISpec>;
type Instancetype = Draft<VirtualMachineInstancetypeSpec>;

/** Changes the draft; returns the paths of conflicts, and then the draft is of no use. */
export function applyInstancetype(
  spec: Spec,
  metadata: Draft<ObjectMeta>,
  instancetype: Instancetype,
  preference: VirtualMachinePreferenceSpec | undefined,
  path: string,
): string[] {
  const own = [
    ...applyPlacement(spec, instancetype),
    ...applyCpu(spec, instancetype, preference),
    ...applyMemory(spec, instancetype),
    ...applyDomain(spec, instancetype),
  ].map((field) => `${path}.${field}`);
  return [...own, ...applyAnnotations(metadata, instancetype)];
}

function applyPlacement(spec: Spec, { nodeSelector, schedulerName }: Instancetype): string[] {
  const conflicts = [
    ...(nodeSelector && spec.nodeSelector ? ['nodeSelector'] : []),
    ...(schedulerName && spec.schedulerName ? ['schedulerName'] : []),
  ];
  if (nodeSelector) spec.nodeSelector = nodeSelector;
  if (schedulerName) spec.schedulerName = schedulerName;
  return conflicts;
}

function applyCpu(
  spec: Spec,
  { cpu }: Instancetype,
  preference: VirtualMachinePreferenceSpec | undefined,
): string[] {
  spec.domain.cpu ??= {};
  const own = spec.domain.cpu;
  const { limits, requests } = spec.domain.resources ?? {};
  const conflicts = [
    ...(requests?.cpu !== undefined ? ['domain.resources.requests.cpu'] : []),
    ...(limits?.cpu !== undefined ? ['domain.resources.limits.cpu'] : []),
    ...(own.sockets ? ['domain.cpu.sockets'] : []),
    ...(own.cores ? ['domain.cpu.cores'] : []),
    ...(own.threads ? ['domain.cpu.threads'] : []),
    ...(own.model && cpu.model !== undefined ? ['domain.cpu.model'] : []),
    ...(own.dedicatedCpuPlacement && cpu.dedicatedCPUPlacement !== undefined
      ? ['domain.cpu.dedicatedCPUPlacement']
      : []),
    ...(own.isolateEmulatorThread && cpu.isolateEmulatorThread !== undefined
      ? ['domain.cpu.isolateEmulatorThread']
      : []),
    ...(own.numa && cpu.numa ? ['domain.cpu.numa'] : []),
    ...(own.realtime && cpu.realtime ? ['domain.cpu.realtime'] : []),
  ];
  if (conflicts.length > 0) return conflicts;
  if (cpu.model !== undefined) own.model = cpu.model;
  if (cpu.dedicatedCPUPlacement !== undefined) own.dedicatedCpuPlacement = cpu.dedicatedCPUPlacement;
  if (cpu.isolateEmulatorThread !== undefined) own.isolateEmulatorThread = cpu.isolateEmulatorThread;
  if (cpu.numa) own.numa = cpu.numa;
  if (cpu.realtime) own.realtime = cpu.realtime;
  if (cpu.maxSockets !== undefined) own.maxSockets = cpu.maxSockets;
  Object.assign(own, topologyOf(cpu.guest, preference));
  return [];
}

function applyMemory(spec: Spec, { memory }: Instancetype): string[] {
  spec.domain.memory ??= {};
  const own = spec.domain.memory;
  const { limits, requests } = spec.domain.resources ?? {};
  const conflicts = [
    ...(own.guest !== undefined ? ['domain.memory.guest'] : []),
    ...(own.hugepages && memory.hugepages ? ['domain.memory.hugepages'] : []),
    ...(own.maxGuest !== undefined && memory.maxGuest !== undefined ? ['domain.memory.maxGuest'] : []),
    ...(requests?.memory !== undefined ? ['domain.resources.requests.memory'] : []),
    ...(limits?.memory !== undefined ? ['domain.resources.limits.memory'] : []),
  ];
  // Of memory, only the first is told.
  if (conflicts.length > 0) return conflicts.slice(0, 1);
  own.guest = memory.guest;
  if (memory.hugepages) own.hugepages = memory.hugepages;
  if (memory.maxGuest !== undefined) own.maxGuest = memory.maxGuest;
  if (memory.overcommitPercent) {
    const guest = parseQuantity(memory.guest);
    const bytes = shareOf(guest.value(), memory.overcommitPercent);
    const request = new Amount(BigInt(bytes) * 1_000_000_000n, guest.format).toString();
    spec.domain.resources = { ...spec.domain.resources, requests: { ...requests, memory: request } };
  }
  return [];
}

/** What is left of `bytes`. In single precision, so that clients see the sums that they know. */
function shareOf(bytes: number, overcommitPercent: number): number {
  const share = Math.fround(1 - Math.fround(overcommitPercent / 100));
  return Math.trunc(Math.fround(Math.fround(bytes) * share));
}

function applyDomain(spec: Spec, instancetype: Instancetype): string[] {
  const { gpus, hostDevices, ioThreads, ioThreadsPolicy, launchSecurity } = instancetype;
  const { domain } = spec;
  const poolThreads = ioThreads?.supplementalPoolThreadCount;
  const conflicts = [
    ...(poolThreads !== undefined && domain.ioThreads?.supplementalPoolThreadCount !== undefined
      ? ['domain.ioThreads.supplementalPoolThreadCount']
      : []),
    ...(ioThreadsPolicy !== undefined && domain.ioThreadsPolicy !== undefined
      ? ['domain.ioThreadsPolicy']
      : []),
    ...(launchSecurity && domain.launchSecurity ? ['domain.launchSecurity'] : []),
    ...(isFilled(gpus) && isFilled(domain.devices.gpus) ? ['domain.devices.gpus'] : []),
    ...(isFilled(hostDevices) && isFilled(domain.devices.hostDevices) ? ['domain.devices.hostDevices'] : []),
  ];
  if (ioThreadsPolicy !== undefined) domain.ioThreadsPolicy = ioThreadsPolicy;
  if (poolThreads !== undefined)
    domain.ioThreads = { ...domain.ioThreads, supplementalPoolThreadCount: poolThreads };
  if (launchSecurity) domain.launchSecurity = launchSecurity;
  if (isFilled(gpus)) domain.devices.gpus = gpus;
  if (isFilled(hostDevices)) domain.devices.hostDevices = hostDevices;
  return conflicts;
}

function applyAnnotations(metadata: Draft<ObjectMeta>, { annotations }: Instancetype): string[] {
  const entries = Object.entries(annotations ?? {});
  if (entries.length === 0) return [];
  const own = metadata.annotations ?? {};
  const conflicts = entries
    .filter(([key, value]) => memberOf(own, key) !== undefined && memberOf(own, key) !== value)
    .map(([key]) => `annotations.${key}`);
  metadata.annotations = { ...annotations, ...own };
  return conflicts;
}

function isFilled<T>(list: T[] | undefined): list is T[] {
  return list !== undefined && list.length > 0;
}
