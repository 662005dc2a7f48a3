/** Requests and limits of the compute container. */
import type { PodResources, Quantity, VirtualMachineInstance, VMISpec } from '@podvisor/api';
import { annotations, matchesSelector } from '@podvisor/api';
import { Amount, isQuantity, parseQuantity } from '@podvisor/base';
import { deviceResources } from './device-resources.ts';
import type { LauncherPodOptions } from '../options.ts';

const EPHEMERAL_STORAGE_OVERHEAD = '50M';
const DEFAULT_MEMORY_LIMIT_RATIO = 2;
const MEMORY_RATIO_LABEL = 'alpha.kubevirt.io/auto-memory-limits-ratio';

type Amounts = Record<string, Amount>;

/** What the compute container asks for. */
export function computeResources(
  vmi: VirtualMachineInstance,
  overheadBytes: number,
  options: LauncherPodOptions,
): PodResources {
  const { spec } = vmi;
  const requests = amounts(spec.domain.resources?.requests);
  const limits = amounts(spec.domain.resources?.limits);
  const declaredMemory = requests.memory;
  // Page tables are counted in decimal units, and Kubernetes prints a sum in the units of its first part.
  const overhead = new Amount(
    Amount.ofBytes(overheadBytes).nano,
    declaredMemory === undefined ? 'BinarySI' : 'DecimalSI',
  );
  addMemoryRequest(spec, requests, limits, options.config.memoryOvercommit);
  if (spec.domain.cpu?.dedicatedCpuPlacement) pinCpus(vmi, requests, limits);
  else shareCpus(spec, requests, limits, options);
  if (spec.domain.memory?.hugepages === undefined) addOverhead(spec, requests, limits, overhead);
  else useHugepages(spec, requests, limits, overhead);
  addMemoryLimit(requests, limits, spec, options);
  requests['ephemeral-storage'] = plus(
    requests['ephemeral-storage'],
    parseQuantity(EPHEMERAL_STORAGE_OVERHEAD),
  );
  if (limits['ephemeral-storage'] !== undefined) {
    limits['ephemeral-storage'] = plus(
      limits['ephemeral-storage'],
      parseQuantity(EPHEMERAL_STORAGE_OVERHEAD),
    );
  }
  const devices = deviceResources(spec, options);
  const claims = resourceClaims(spec, options);
  // What somebody wrote down for a passed-through device wins over what we count.
  const passedThrough = amounts(devices.passedThrough);
  return {
    limits: texts({ ...passedThrough, ...limits, ...amounts(devices.limits) }),
    requests: texts({ ...passedThrough, ...requests }),
    ...(claims.length === 0 ? {} : { claims }),
  };
}

/** Only what nobody declared is overcommitted: guest memory, or one huge page when even that is unknown. */
function addMemoryRequest(
  spec: VMISpec,
  requests: Amounts,
  limits: Amounts,
  overcommitPercent: number,
): void {
  if (requests.memory !== undefined && requests.memory.nano !== 0n) return;
  if (limits.memory !== undefined && limits.memory.nano !== 0n) requests.memory = limits.memory;
  if (requests.memory !== undefined) return;
  const guest = spec.domain.memory?.guest ?? spec.domain.memory?.hugepages?.pageSize;
  if (guest === undefined || !isQuantity(guest)) return;
  const amount = parseQuantity(guest);
  if (amount.nano <= 0n) return;
  const bytes = Math.floor((amount.value() * 100) / overcommitPercent);
  requests.memory = new Amount(Amount.ofBytes(bytes).nano, amount.format);
}

function addOverhead(spec: VMISpec, requests: Amounts, limits: Amounts, overhead: Amount): void {
  requests.memory = spec.domain.resources?.overcommitGuestOverhead
    ? (requests.memory ?? Amount.ofBytes(0))
    : plus(requests.memory, overhead);
  if (limits.memory !== undefined) limits.memory = plus(limits.memory, overhead);
}

/** The guest lives in huge pages; ordinary memory is for the overhead and what was asked beyond the guest. */
function useHugepages(spec: VMISpec, requests: Amounts, limits: Amounts, overhead: Amount): void {
  const requested = requests.memory ?? Amount.ofBytes(0);
  const guestText = spec.domain.memory?.guest;
  const guest = guestText === undefined ? undefined : parseQuantity(guestText);
  const pages = guest !== undefined && requested.compare(guest) > 0 ? guest : requested;
  const name = `hugepages-${spec.domain.memory?.hugepages?.pageSize ?? '2Mi'}`;
  const ordinary = (declared: Amount): Amount => {
    const beyond = guest !== undefined && declared.compare(guest) > 0 ? declared.nano - guest.nano : 0n;
    return new Amount(beyond, declared.format).plus(overhead);
  };
  requests[name] ??= pages;
  limits[name] ??= pages;
  if (limits.memory !== undefined) limits.memory = ordinary(limits.memory);
  requests.memory = ordinary(requested);
}

/** Whole CPUs, and memory that cannot be overcommitted: the kubelet pins only Guaranteed Pods. */
function pinCpus(vmi: VirtualMachineInstance, requests: Amounts, limits: Amounts): void {
  const vcpus = declaredVcpus(vmi.spec);
  const ioThreads = cpus(supplementalThreads(vmi.spec));
  if (vcpus !== 0) {
    limits.cpu = cpus(vcpus).plus(ioThreads);
    requests.cpu = limits.cpu;
  } else {
    if (limits.cpu !== undefined) limits.cpu = limits.cpu.plus(ioThreads);
    if (requests.cpu !== undefined) requests.cpu = requests.cpu.plus(ioThreads);
  }
  if (vmi.spec.domain.cpu?.isolateEmulatorThread) {
    const emulator = cpus(emulatorCpus(vmi, limits.cpu?.value() ?? 0));
    limits.cpu = plus(limits.cpu, emulator);
    if (requests.cpu !== undefined) requests.cpu = requests.cpu.plus(emulator);
  }
  if (requests.memory !== undefined) limits.memory = requests.memory;
}

function cpus(count: number): Amount {
  return Amount.ofMilli(count * 1000);
}

/** One CPU for the emulator; two when the number must stay even, so that no sibling thread is shared. */
function emulatorCpus(vmi: VirtualMachineInstance, count: number): number {
  const even = annotations.emulatorThreadCompleteToEvenParity in (vmi.metadata?.annotations ?? {});
  // The recorded system counts a pool's threads twice here, which changes nothing for an even number of them.
  const pool = vmi.spec.domain.ioThreadsPolicy === 'supplementalPool' ? supplementalThreads(vmi.spec) : 0;
  return even && (count + pool) % 2 === 0 ? 2 : 1;
}

function shareCpus(spec: VMISpec, requests: Amounts, limits: Amounts, options: LauncherPodOptions): void {
  const count = (spec.domain.cpu === undefined ? 1 : declaredVcpus(spec)) + supplementalThreads(spec);
  const ratio = options.config.cpuAllocationRatio;
  if (count === 0 || ratio <= 0) return;
  requests.cpu ??= parseQuantity(String(count / ratio));
  if (needsCpuLimit(options)) limits.cpu ??= cpus(count);
}

/** What the CPU topology of the spec multiplies to; 0 when it says nothing. */
function declaredVcpus(spec: VMISpec): number {
  const { sockets = 0, cores = 0, threads = 0 } = spec.domain.cpu ?? {};
  if (sockets === 0 && cores === 0 && threads === 0) return 0;
  return (sockets || 1) * (cores || 1) * (threads || 1);
}

function supplementalThreads(spec: VMISpec): number {
  return spec.domain.ioThreads?.supplementalPoolThreadCount ?? 0;
}

function needsCpuLimit({ namespace, config }: LauncherPodOptions): boolean {
  if (namespace?.cpuLimitsQuota) return true;
  return matchesSelector(config.configuration.autoCPULimitNamespaceLabelSelector, namespace?.labels);
}

/** A quota on `limits.memory` refuses Pods without a limit, so one is made up from the request. */
function addMemoryLimit(
  requests: Amounts,
  limits: Amounts,
  spec: VMISpec,
  { namespace }: LauncherPodOptions,
): void {
  if (!namespace?.memoryLimitsQuota || limits.memory !== undefined || requests.memory === undefined) return;
  if (spec.domain.cpu?.dedicatedCpuPlacement) return;
  const ratio = Number(namespace.labels?.[MEMORY_RATIO_LABEL] ?? DEFAULT_MEMORY_LIMIT_RATIO);
  const factor = Number.isFinite(ratio) && ratio >= 1 ? ratio : DEFAULT_MEMORY_LIMIT_RATIO;
  const bytes = Math.floor(requests.memory.value() * factor);
  limits.memory = new Amount(Amount.ofBytes(bytes).nano, requests.memory.format);
}

/** Claims through which the devices come, as far as the cluster lets each kind come that way. */
function resourceClaims(
  spec: VMISpec,
  { config }: LauncherPodOptions,
): { readonly name: string; readonly request?: string }[] {
  const { gpus = [], hostDevices = [] } = spec.domain.devices;
  const devices = [
    ...(config.gates.has('GPUsWithDRA') ? gpus : []),
    ...(config.gates.has('HostDevicesWithDRA') ? hostDevices : []),
  ].filter(({ deviceName }) => !deviceName);
  const networks = (spec.networks ?? []).flatMap(({ resourceClaim }) =>
    resourceClaim && config.gates.has('NetworkDevicesWithDRA') ? [resourceClaim] : [],
  );
  return [...devices, ...networks].flatMap(({ claimName, requestName }) =>
    claimName ? [{ name: claimName, ...(requestName ? { request: requestName } : {}) }] : [],
  );
}

function plus(base: Amount | undefined, addition: Amount): Amount {
  return base === undefined ? addition : base.plus(addition);
}

function amounts(list: Readonly<Record<string, Quantity>> | undefined): Amounts {
  return Object.fromEntries(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text)]));
}

function texts(list: Amounts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(list)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, amount]) => [name, amount.toString()]),
  );
}
