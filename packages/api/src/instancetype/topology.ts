/** How the vCPUs of an instance type become sockets, cores and threads. */
import type { VirtualMachinePreferenceSpec } from '../types/index.ts';

const DEFAULT_RATIO = 2;
const THREADS_PER_CORE = 2;

export interface Topology {
  readonly sockets?: number;
  readonly cores?: number;
  readonly threads?: number;
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

/** The field that a spread blames. */
export const SPREAD_FIELD = 'instancetype.spec.cpu.guest';

/** Why that many vCPUs cannot be spread evenly, or undefined when they can. */
export function spreadProblem(
  vcpus: number,
  preference: VirtualMachinePreferenceSpec | undefined,
): string | undefined {
  if (!prefersSpread(preference)) return undefined;
  const { across, ratio } = spreadOptions(preference);
  const indivisible = `${vcpus} vCPUs provided by the instance type are not divisible by the`;
  const asked = `Spec.PreferSpreadSocketToCoreRatio or Spec.CPU.PreferSpreadOptions.Ratio of ${ratio}`;
  const threads = `number of threads per core`;
  switch (across) {
    case 'SocketsCoresThreads':
      return vcpus % (ratio * THREADS_PER_CORE) === 0
        ? undefined
        : `${indivisible} ${threads} ${THREADS_PER_CORE} and ${asked}`;
    case 'CoresThreads':
      return vcpus % ratio === 0 ? undefined : `${indivisible} ${threads} ${ratio}`;
    case 'SocketsCores':
      return vcpus % ratio === 0 ? undefined : `${indivisible} ${asked} provided by the preference`;
    default:
      return undefined;
  }
}

/** Sockets, cores and threads of that many vCPUs; sockets unless a preference says otherwise. */
export function topologyOf(vcpus: number, preference: VirtualMachinePreferenceSpec | undefined): Topology {
  const parts = partsOf(vcpus, preference);
  // A part that comes to nothing is left out, as if it had not been set.
  return {
    ...(parts.sockets > 0 && { sockets: parts.sockets }),
    ...(parts.cores > 0 && { cores: parts.cores }),
    ...(parts.threads > 0 && { threads: parts.threads }),
  };
}

function partsOf(vcpus: number, preference: VirtualMachinePreferenceSpec | undefined): Required<Topology> {
  const one = { sockets: 1, cores: 1, threads: 1 };
  if (vcpus === 1) return one;
  switch (preference?.cpu?.preferredCPUTopology ?? 'sockets') {
    case 'cores':
    case 'preferCores':
      return { ...one, cores: vcpus };
    case 'threads':
    case 'preferThreads':
      return { ...one, threads: vcpus };
    case 'spread':
    case 'preferSpread':
      return { ...one, ...spread(vcpus, preference) };
    case 'sockets':
    case 'preferSockets':
    case 'any':
    case 'preferAny':
      return { ...one, sockets: vcpus };
    default:
      return one;
  }
}

/** What does not divide evenly is lost here; a VM that asks for it is refused when it is created. */
function spread(vcpus: number, preference: VirtualMachinePreferenceSpec | undefined): Topology {
  const { across, ratio } = spreadOptions(preference);
  switch (across) {
    case 'SocketsCores':
      return { sockets: Math.floor(vcpus / ratio), cores: ratio };
    case 'CoresThreads':
      return { cores: Math.floor(vcpus / ratio), threads: ratio };
    case 'SocketsCoresThreads':
      return {
        sockets: Math.floor(Math.floor(vcpus / THREADS_PER_CORE) / ratio),
        cores: ratio,
        threads: THREADS_PER_CORE,
      };
    default:
      return {};
  }
}
