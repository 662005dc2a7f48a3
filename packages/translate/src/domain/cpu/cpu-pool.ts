/**
 * Which host CPU each virtual CPU is pinned to. Whole cores come first, so that the threads of a guest core share a
 * host core; then threads left over inside one NUMA cell; then any that are left.
 */
import type { HostCell } from '../context.ts';
import type { CpuTopology } from './cpu-topology.ts';
import { ConversionError } from '../part.ts';

interface Cell {
  readonly id: number;
  /** Groups of sibling threads, each at least as large as a guest core. */
  cores: number[][];
  /** Threads whose siblings are not ours. */
  fragments: number[];
}

/** Where everything is pinned. */
export interface CpuPlacement {
  /** Host CPU of each virtual CPU, by its number. */
  readonly vcpus: readonly number[];
  /** Host CPU of each supplemental IO thread. */
  readonly ioThreads: readonly number[];
  /** Host CPUs of the emulator, when it has some of its own. */
  readonly emulator: readonly number[];
}

/** What is to be placed. */
export interface PlacementRequest {
  readonly topology: CpuTopology;
  readonly cpuSet: readonly number[];
  readonly host: readonly HostCell[];
  /** IO threads that get a CPU each. */
  readonly ioThreads: number;
  /** CPUs for the emulator alone. */
  readonly emulatorCpus: number;
  /** A guest core never takes threads of two cells. */
  readonly strict: boolean;
}

/** Pins every virtual CPU. Throws ConversionError when the Pod's CPUs do not suffice. */
export function placeCpus(request: PlacementRequest): CpuPlacement {
  const { topology, cpuSet, host, strict } = request;
  const cells = cellsOf(host, cpuSet, topology.threads);
  const cores = topology.sockets * topology.cores;
  const vcpus: number[] = [];
  for (let core = 0; core < cores; core++) {
    const threads =
      firstOf(cells, (cell) => takeCore(cell, topology.threads)) ??
      firstOf(cells, (cell) => takeFragments(cell, topology.threads)) ??
      (strict ? undefined : takeAnywhere(cells, topology.threads));
    if (threads === undefined) {
      const enough = strict && cpuSet.length >= cores * topology.threads;
      throw new ConversionError(
        enough
          ? `could not fit ${cores - core} core(s) without crossing numa cell boundaries for individual cores`
          : `not enough exclusive threads provided, could not fit ${cores - core} core(s)`,
        'spec.domain.cpu.dedicatedCpuPlacement',
      );
    }
    vcpus.push(...threads);
  }
  // IO threads come before the emulator: they count when its CPUs are to make the sum even.
  const ioThreads = Array.from({ length: request.ioThreads }, () =>
    takeOne(cells, 'no CPU allocated for the iothread', 'spec.domain.ioThreads'),
  );
  const emulator = Array.from({ length: request.emulatorCpus }, (_, index) =>
    takeOne(
      cells,
      `no ${index === 0 ? '' : 'second '}CPU allocated for the emulation thread`,
      'spec.domain.cpu.isolateEmulatorThread',
    ),
  );
  return { vcpus, ioThreads, emulator };
}

function takeOne(cells: readonly Cell[], problem: string, field: string): number {
  const [cpu] = takeAnywhere(cells, 1) ?? [];
  if (cpu === undefined) throw new ConversionError(`${problem}: no remaining unassigned threads`, field);
  return cpu;
}

function cellsOf(host: readonly HostCell[], cpuSet: readonly number[], threadsPerCore: number): Cell[] {
  const free = new Set(cpuSet);
  return host.map(({ id, cpus }) => {
    const cell: Cell = { id, cores: [], fragments: [] };
    for (const cpu of cpus) {
      if (!free.has(cpu.id)) continue;
      const siblings = [...new Set([cpu.id, ...(cpu.siblings ?? [])])].filter((sibling) => free.has(sibling));
      siblings.sort((a, b) => a - b);
      for (const sibling of siblings) free.delete(sibling);
      if (siblings.length >= threadsPerCore) cell.cores.push(siblings);
      else cell.fragments.push(...siblings);
    }
    return cell;
  });
}

/** Takes a guest core's threads out of one host core; what is left of it stays usable. */
function takeCore(cell: Cell, threads: number): number[] | undefined {
  const [core, ...others] = cell.cores;
  if (core === undefined) return undefined;
  const rest = core.slice(threads);
  cell.cores = rest.length >= threads ? [rest, ...others] : others;
  if (rest.length < threads) cell.fragments.push(...rest);
  return core.slice(0, threads);
}

function takeFragments(cell: Cell, threads: number): number[] | undefined {
  if (cell.fragments.length < threads) return undefined;
  return cell.fragments.splice(0, threads);
}

function takeAnywhere(cells: readonly Cell[], threads: number): number[] | undefined {
  const available = cells.flatMap((cell) => [...cell.fragments, ...cell.cores.flat()]);
  if (available.length < threads) return undefined;
  const taken = available.slice(0, threads);
  for (const cell of cells) {
    cell.fragments = cell.fragments.filter((cpu) => !taken.includes(cpu));
    cell.cores = cell.cores
      .map((core) => core.filter((cpu) => !taken.includes(cpu)))
      .filter((core) => core.length > 0);
  }
  return taken;
}

function firstOf(cells: readonly Cell[], take: (cell: Cell) => number[] | undefined): number[] | undefined {
  for (const cell of cells) {
    const taken = take(cell);
    if (taken !== undefined) return taken;
  }
  return undefined;
}
