/** `<cputune>` and `<numatune>`: dedicated CPUs and memory near them. */
import { annotations as annotationKeys } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import type { HostCell } from '../context.ts';
import { type CpuPlacement, placeCpus } from '../cpu/cpu-pool.ts';
import { cpuTopology } from '../cpu/cpu-topology.ts';
import { planIoThreads, supplementalThreads } from '../cpu/iothreads.ts';
import { guestMemoryBytes } from '../memory/memory.ts';
import { mapsHostNuma } from '../memory/memory-backing.ts';
import type { DomainCpuTune } from '../model/compute.ts';
import type { Domain } from '../model/domain.ts';
import { ConversionError, type Conversion, type Part } from '../part.ts';

/** Pins virtual CPUs, emulator and IO threads; with NUMA passthrough, memory too. */
export const placementPart: Part = {
  name: 'placement',
  fields: [
    'spec.domain.cpu.dedicatedCpuPlacement',
    'spec.domain.cpu.numa',
    'spec.domain.cpu.isolateEmulatorThread',
  ],
  convert: (input) => {
    const { spec, context } = input;
    if (!spec.domain.cpu?.dedicatedCpuPlacement) return {};
    const host = context.hostTopology ?? [];
    const cpuSet = context.cpuSet ?? [];
    const ioThreads = supplementalThreads(spec) ?? 0;
    const placement = placeCpus({
      topology: cpuTopology(spec),
      cpuSet,
      host: host.length === 0 ? [{ id: 0, cpus: cpuSet.map((id) => ({ id })) }] : host,
      ioThreads,
      emulatorCpus: emulatorCpus(input, ioThreads),
      strict: mapsHostNuma(spec),
    });
    return {
      cpuTune: cpuTune(input, placement, cpuSet),
      ...(input.architecture.name === 'amd64'
        ? { features: { kvm: { hintDedicated: { state: 'on' } } } }
        : {}),
      ...(mapsHostNuma(spec) ? numa(input, placement, host) : {}),
    };
  },
};

function emulatorCpus({ spec, annotations, vcpuCount }: Conversion, ioThreads: number): number {
  if (!spec.domain.cpu?.isolateEmulatorThread) return 0;
  const even = (vcpuCount + ioThreads) % 2 === 0;
  return annotationKeys.emulatorThreadCompleteToEvenParity in annotations && even ? 2 : 1;
}

/** Real-time priority is not here: the Pod may not give it to itself, and virt-handler, which may, does not yet. */
function cpuTune(input: Conversion, placement: CpuPlacement, cpuSet: readonly number[]): DomainCpuTune {
  const { vcpus, emulator } = placement;
  const pins = ioThreadPins(input, placement, cpuSet);
  return {
    vcpuPins: vcpus.map((cpu, vcpu) => ({ vcpu, cpuset: String(cpu) })),
    ...(pins.length === 0 ? {} : { ioThreadPins: pins }),
    ...(emulator.length === 0 ? {} : { emulatorPin: { cpuset: emulator.join(',') } }),
  };
}

/**
 * Supplemental IO threads have CPUs of their own. Others share the emulator's where it has some, else they are
 * spread evenly over as many of the Pod's CPUs as the guest has.
 */
function ioThreadPins(
  { spec, vcpuCount }: Conversion,
  { ioThreads, emulator }: CpuPlacement,
  cpuSet: readonly number[],
): { iothread: number; cpuset: string }[] {
  if (ioThreads.length > 0) return ioThreads.map((cpu, i) => ({ iothread: i + 1, cpuset: String(cpu) }));
  const threads = planIoThreads(spec)?.total ?? 0;
  if (threads === 0) return [];
  if (emulator.length > 0) return [{ iothread: 1, cpuset: emulator.join(',') }];
  const ids = Array.from({ length: threads }, (_, index) => index + 1);
  if (threads >= vcpuCount) {
    return ids.map((iothread) => ({ iothread, cpuset: String(cpuSet[iothread % vcpuCount] ?? 0) }));
  }
  let next = 0;
  return ids.map((iothread, index) => {
    const size = Math.floor(vcpuCount / threads) + (index < vcpuCount % threads ? 1 : 0);
    const cpuset = cpuSet.slice(next, next + size).join(',');
    next += size;
    return { iothread, cpuset };
  });
}

/** One guest cell for each host cell that lends CPUs, with an equal share of the memory. */
function numa({ spec }: Conversion, { vcpus }: CpuPlacement, host: readonly HostCell[]): Domain {
  const pageSize = spec.domain.memory?.hugepages?.pageSize;
  if (host.length === 0)
    throw new ConversionError('no numa topology reported by the node', 'spec.domain.cpu.numa');
  if (pageSize === undefined) {
    throw new ConversionError(
      'passing through a numa topology is restricted to VMIs with hugepages enabled',
      'spec.domain.cpu.numa.guestMappingPassthrough',
    );
  }
  const pageBytes = parseQuantity(pageSize).value();
  const used = host
    .map((cell) => ({ cell, guest: vcpus.flatMap((cpu, vcpu) => (hasCpu(cell, cpu) ? [vcpu] : [])) }))
    .filter(({ guest }) => guest.length > 0);
  const memory = guestMemoryBytes(spec);
  checkPages(memory, pageBytes, used.length);
  // Whole pages only: those that cannot be shared out evenly go to the first cells, one each.
  const pages = Math.floor(memory / pageBytes);
  const pagesOf = (id: number): number =>
    Math.floor(pages / used.length) + (id < pages % used.length ? 1 : 0);
  return {
    cpu: {
      numa: {
        cells: used.map(({ guest }, id) => ({
          id: String(id),
          cpus: guest.join(','),
          memory: pagesOf(id) * pageBytes,
          unit: 'b',
        })),
      },
    },
    numaTune: {
      memory: { mode: 'strict', nodeset: used.map(({ cell }) => cell.id).join(',') },
      memNodes: used.map(({ cell }, id) => ({
        cellId: String(id),
        mode: 'strict',
        nodeset: String(cell.id),
      })),
    },
    memoryBacking: {
      hugepages: { page: used.map((_, id) => ({ size: String(pageBytes), unit: 'b', nodeset: String(id) })) },
      allocation: { mode: 'immediate' },
      ...(spec.domain.cpu?.realtime === undefined ? {} : { nosharepages: true as const }),
    },
  };
}

function checkPages(memoryBytes: number, pageBytes: number, cells: number): void {
  const field = 'spec.domain.memory';
  if (memoryBytes < pageBytes * cells) {
    throw new ConversionError(
      `not enough memory requested to allocate at least one hugepage per numa node: ${memoryBytes} < ${pageBytes * cells}`,
      field,
    );
  }
  if (memoryBytes % pageBytes !== 0) {
    throw new ConversionError(
      `requested memory can't be divided through the numa page size: ${memoryBytes} mod ${pageBytes} != 0`,
      field,
    );
  }
}

function hasCpu(cell: HostCell, cpu: number): boolean {
  return cell.cpus.some(({ id }) => id === cpu);
}
