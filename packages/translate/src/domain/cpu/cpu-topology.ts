/** How many virtual CPUs a VMI has, and in which shape. */
import type { VMISpec } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';

/** Sockets × cores × threads; each at least 1. */
export interface CpuTopology {
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
}

/**
 * The topology that the guest starts with. Without any in the spec, the CPU limit (else the request) gives the
 * number of sockets, rounded up.
 */
export function cpuTopology(spec: VMISpec): CpuTopology {
  const cpu = spec.domain.cpu;
  const topology = { sockets: cpu?.sockets || 1, cores: cpu?.cores || 1, threads: cpu?.threads || 1 };
  if (cpu?.sockets || cpu?.cores || cpu?.threads) return topology;
  const resources = spec.domain.resources;
  const amount = resources?.limits?.cpu ?? resources?.requests?.cpu;
  return amount === undefined
    ? topology
    : { ...topology, sockets: Math.max(1, parseQuantity(amount).value()) };
}

/** Number of virtual CPUs of a topology. */
export function vcpuCountOf(topology: CpuTopology): number {
  return topology.sockets * topology.cores * topology.threads;
}
