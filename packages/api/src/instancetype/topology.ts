/** How the vCPUs of an instance type become sockets, cores and threads. */
import type { VirtualMachinePreferenceSpec } from '../types/index.ts';

const DEFAULT_RATIO = 2;
const THREADS_PER_CORE = 2;

export interface Topology {
  readonly sockets?: number;
  readonly cores: number;
  readonly threads: number;
}

export type SpreadAcross = 'SocketsCores' | 'CoresThreads' | 'SocketsCoresThreads';

/** How a preference spreads vCPUs, with its defaults. */
export function spreadOptions(preference: VirtualMachinePreferenceSpec | undefined): {
  readonly ratio: number;
  readonly across: string;
} {
  const options = preference?.cpu?.spreadOptions;
  return {
    ratio: options?.ratio ?? (preference?.preferSpreadSocketToCoreRatio || DEFAULT_RATIO),
    across: options?.across ?? ('SocketsCores' satisfies SpreadAcross),
  };
}

/** True when a preference asks to spread vCPUs. */
export function prefersSpread(preference: VirtualMachinePreferenceSpec | undefined): boolean {
  const topology = preference?.cpu?.preferredCPUTopology;
  return topology === 'spread' || topology === 'preferSpread';
}

/** True when that many vCPUs cannot be spread evenly. */
export function spreadConflict(vcpus: number, preference: VirtualMachinePreferenceSpec | undefined): boolean {
  if (!prefersSpread(preference)) return false;
  const { across, ratio } = spreadOptions(preference);
  if (across === 'SocketsCoresThreads') return vcpus % (ratio * THREADS_PER_CORE) !== 0;
  return vcpus % ratio !== 0;
}

/** Sockets, cores and threads of that many vCPUs; sockets unless a preference says otherwise. */
export function topologyOf(vcpus: number, preference: VirtualMachinePreferenceSpec | undefined): Topology {
  const one = { sockets: 1, cores: 1, threads: 1 };
  if (vcpus === 1) return one;
  if (prefersSpread(preference)) return spread(vcpus, preference);
  switch (preference?.cpu?.preferredCPUTopology) {
    case 'cores':
    case 'preferCores':
      return { ...one, cores: vcpus };
    case 'threads':
    case 'preferThreads':
      return { ...one, threads: vcpus };
    default:
      // No vCPUs at all leaves the sockets open.
      return vcpus === 0 ? { cores: 1, threads: 1 } : { ...one, sockets: vcpus };
  }
}

function spread(vcpus: number, preference: VirtualMachinePreferenceSpec | undefined): Topology {
  const { across, ratio } = spreadOptions(preference);
  switch (across) {
    case 'CoresThreads':
      return { sockets: 1, cores: Math.floor(vcpus / ratio), threads: ratio };
    case 'SocketsCoresThreads':
      return {
        sockets: Math.floor(vcpus / THREADS_PER_CORE / ratio),
        cores: ratio,
        threads: THREADS_PER_CORE,
      };
    default:
      return { sockets: Math.floor(vcpus / ratio), cores: ratio, threads: 1 };
  }
}
