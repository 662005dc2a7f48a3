/** CPU requests, topology, model, and how many sockets may be plugged later. */
import { parseQuantity } from '@podvisor/base';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Draft } from '../../draft.ts';
import type { Quantity, VMISpec } from '../../types/index.ts';

/** Machine types differ in their limit; 512 vCPUs is the lowest of them. */
const MAX_VCPUS = 512;
const DEFAULT_CPU_REQUEST = parseQuantity('100m');

/** A CPU limit alone is also the request; a configured default request fills what is still open. */
export function defaultCpuRequest(spec: Draft<VMISpec>, config: ClusterConfig): void {
  const { domain } = spec;
  const limit = domain.resources?.limits?.cpu;
  if (limit !== undefined && !isZero(limit) && isZero(domain.resources?.requests?.cpu)) {
    requestCpu(spec, limit);
  }
  const isConfigured = config.cpuRequest.compare(DEFAULT_CPU_REQUEST) !== 0;
  if (!isConfigured || domain.resources?.requests?.cpu !== undefined) return;
  if (domain.cpu?.dedicatedCpuPlacement) return;
  requestCpu(spec, config.cpuRequest.toString());
}

/** Without a topology: one socket per CPU that the Pod gets. */
export function defaultTopology(spec: Draft<VMISpec>): void {
  spec.domain.cpu ??= {};
  const { cpu, resources } = spec.domain;
  if (cpu.cores || cpu.sockets || cpu.threads) return;
  const amount = resources?.limits?.cpu ?? resources?.requests?.cpu;
  cpu.sockets = amount === undefined ? 1 : parseQuantity(amount).value();
  cpu.cores = 1;
  cpu.threads = 1;
}

export function defaultCpuModel(spec: Draft<VMISpec>, config: ClusterConfig): void {
  spec.domain.cpu ??= {};
  // arm64 guests cannot emulate another model.
  if (spec.architecture === 'arm64') spec.domain.cpu.model ||= 'host-passthrough';
  spec.domain.cpu.model ||= config.cpuModel || 'host-model';
}

export function defaultMaxSockets(spec: Draft<VMISpec>, config: ClusterConfig): void {
  const { cpu } = spec.domain;
  if (!cpu || cpu.maxSockets) return;
  const sockets = cpu.sockets ?? 0;
  const perSocket = (cpu.cores ?? 0) * (cpu.threads ?? 0);
  const { maxCpuSockets, maxHotplugRatio } = config.liveUpdate;
  let limit = maxCpuSockets === 0 ? sockets * maxHotplugRatio : Math.max(maxCpuSockets, sockets);
  if (maxCpuSockets === 0 && limit * perSocket > MAX_VCPUS) {
    limit = Math.max(Math.floor(MAX_VCPUS / perSocket), sockets);
  }
  if (limit > 0) cpu.maxSockets = limit;
}

function requestCpu(spec: Draft<VMISpec>, amount: Quantity): void {
  spec.domain.resources ??= {};
  spec.domain.resources.requests = { ...spec.domain.resources.requests, cpu: amount };
}

function isZero(quantity: Quantity | undefined): boolean {
  return quantity === undefined || parseQuantity(quantity).nano === 0n;
}
