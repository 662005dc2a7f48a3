/** `<cputune>` and `<numatune>`: dedicated CPUs and memory near them. */
import { annotations as annotationKeys } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import type { HostCell } from './context.ts';
import { type CpuPlacement, placeCpus } from './cpu-pool.ts';
import { cpuTopology } from './cpu-topology.ts';
import { planIoThreads } from './iothreads.ts';
import { guestMemoryBytes } from './memory.ts';
import { mapsHostNuma } from './memory-backing.ts';
import type { DomainCpuTune } from './model/compute.ts';
import type { Domain } from './model/domain.ts';
import { ConversionError, type Conversion, type Part } from './part.ts';

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
    const placement = placeCpus({
      topology: cpuTopology(spec),
      cpuSet,
      host: host.length === 0 ? [{ id: 0, cpus: cpuSet.map((id) => ({ id })) }] : host,
      emulatorCpus: emulatorCpus(input),
      strict: mapsHostNuma(spec),
    });
    return {
      cpuTune: cpuTune(input, placement),
      features: { kvm: { hintDedicated: { state: 'on' } } },
      ...(mapsHostNuma(spec) ? numa(input, placement, host) : {}),
    };
  },
};

function emulatorCpus({ spec, annotations, vcpuCount }: Conversion): number {
  if (!spec.domain.cpu?.isolateEmulatorThread) return 0;
  return annotationKeys.emulatorThreadCompleteToEvenParity in annotations && vcpuCount % 2 === 0 ? 2 : 1;
}

function cpuTune(input: Conversion, { vcpus, emulator }: CpuPlacement): DomainCpuTune {
  const realtime = input.spec.domain.cpu?.realtime;
  const everyVcpu = vcpus.length > 1 ? `0-${vcpus.length - 1}` : '0';
  const pins = ioThreadPins(input, vcpus, emulator);
  return {
    vcpuPins: vcpus.map((cpu, vcpu) => ({ vcpu, cpuset: String(cpu) })),
    ...(pins.length === 0 ? {} : { ioThreadPins: pins }),
    ...(emulator.length === 0 ? {} : { emulatorPin: { cpuset: emulator.join(',') } }),
    ...(realtime === undefined
      ? {}
      : { vcpuSchedulers: [{ scheduler: 'fifo', priority: 1, vcpus: realtime.mask || everyVcpu }] }),
  };
}

/** IO threads share the emulator's CPUs where it has some, else they are spread evenly over the guest's. */
function ioThreadPins(
  { spec }: Conversion,
  vcpus: readonly number[],
  emulator: readonly number[],
): { iothread: number; cpuset: string }[] {
  const threads = planIoThreads(spec)?.total ?? 0;
  if (threads === 0) return [];
  if (emulator.length > 0) return [{ iothread: 1, cpuset: emulator.join(',') }];
  if (threads >= vcpus.length) {
    return Array.from({ length: threads }, (_, index) => ({
      iothread: index + 1,
      cpuset: String(vcpus[index % vcpus.length] ?? 0),
    }));
  }
  let next = 0;
  return Array.from({ length: threads }, (_, index) => {
    const size = Math.floor(vcpus.length / threads) + (index < vcpus.length % threads ? 1 : 0);
    const cpuset = vcpus.slice(next, next + size).join(',');
    next += size;
    return { iothread: index + 1, cpuset };
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
  const remainder = memory % (used.length * pageBytes);
  const share = (memory - remainder) / used.length;
  return {
    cpu: {
      numa: {
        cells: used.map(({ guest }, id) => ({
          id: String(id),
          cpus: guest.join(','),
          memory: id === 0 ? share + remainder : share,
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
    },
  };
}

function hasCpu(cell: HostCell, cpu: number): boolean {
  return cell.cpus.some(({ id }) => id === cpu);
}
