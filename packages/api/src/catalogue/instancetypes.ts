/**
 * Cluster instance types under the names that people know from KubeVirt's common-instancetypes: name, vCPUs and
 * memory are the same there and here, so that a manifest which names one means the same machine. Pure data and
 * its expansion; who installs them decides when.
 */
import type {
  CPUInstancetype,
  MemoryInstancetype,
  VirtualMachineClusterInstancetype,
  VirtualMachineInstancetypeSpec,
} from '../types/index.ts';
import { CATALOGUE_API_VERSION, label, VENDOR } from './labels.ts';

/** What all sizes of a series have in common. */
interface Series {
  readonly name: string;
  readonly className: string;
  readonly displayName: string;
  /** For whom the series is. */
  readonly description: string;
  readonly cpu?: Omit<CPUInstancetype, 'guest'>;
  readonly memory?: Omit<MemoryInstancetype, 'guest'>;
  readonly spec?: Pick<VirtualMachineInstancetypeSpec, 'annotations' | 'ioThreadsPolicy'>;
  /** Every vCPU has a socket, and none can be plugged. */
  readonly fixedSockets?: boolean;
  /** Page sizes; each but the first makes a variant with its name at the end (`cx1.large1gi`). */
  readonly hugepages?: readonly string[];
  /** size → vCPUs and memory. */
  readonly sizes: Readonly<Record<string, readonly [number, string]>>;
}

/** One vCPU for 4Gi from medium on; smaller ones share one vCPU. */
const GENERAL_SIZES: Series['sizes'] = {
  nano: [1, '512Mi'],
  micro: [1, '1Gi'],
  small: [1, '2Gi'],
  medium: [1, '4Gi'],
  large: [2, '8Gi'],
  xlarge: [4, '16Gi'],
  '2xlarge': [8, '32Gi'],
  '4xlarge': [16, '64Gi'],
  '8xlarge': [32, '128Gi'],
};
const { nano: _nano, ...REALTIME_SIZES } = GENERAL_SIZES;
const PINNED = { dedicatedCPUPlacement: true, isolateEmulatorThread: true };
const SAME_NUMA = { numa: { guestMappingPassthrough: {} } };
/** Asks CRI-O, where it runs the Pods, to leave the pinned CPUs alone. */
const UNDISTURBED = {
  annotations: {
    'cpu-load-balancing.crio.io': 'disable',
    'cpu-quota.crio.io': 'disable',
    'irq-load-balancing.crio.io': 'disable',
  },
};

const SERIES: readonly Series[] = [
  {
    name: 'u1',
    className: 'general.purpose',
    displayName: 'General Purpose',
    description: 'A share of the node like any other Pod: the right choice when nothing special is asked.',
    sizes: { ...GENERAL_SIZES, '2xmedium': [2, '4Gi'] },
  },
  {
    name: 'o1',
    className: 'overcommitted',
    displayName: 'Overcommitted',
    description: 'The Pod asks for half of the memory that the guest sees: more guests on a node, at a risk.',
    memory: { overcommitPercent: 50 },
    sizes: GENERAL_SIZES,
  },
  {
    name: 'cx1',
    className: 'compute.exclusive',
    displayName: 'Compute Exclusive',
    description:
      'CPUs of its own, huge pages and the NUMA layout of the node, for computing without neighbours.',
    cpu: { ...PINNED, ...SAME_NUMA },
    spec: { ioThreadsPolicy: 'auto' },
    fixedSockets: true,
    hugepages: ['2Mi', '1Gi'],
    sizes: {
      medium: [1, '2Gi'],
      large: [2, '4Gi'],
      xlarge: [4, '8Gi'],
      '2xlarge': [8, '16Gi'],
      '4xlarge': [16, '32Gi'],
      '8xlarge': [32, '64Gi'],
    },
  },
  {
    name: 'd1',
    className: 'dedicated.vcpu',
    displayName: 'Dedicated vCPU',
    description: 'CPUs of its own for an even speed, with ordinary memory.',
    cpu: PINNED,
    spec: { ioThreadsPolicy: 'auto' },
    sizes: { ...GENERAL_SIZES, '2xmedium': [2, '4Gi'] },
  },
  {
    name: 'm1',
    className: 'memory.intensive',
    displayName: 'Memory Intensive',
    description: 'Eight times as much memory (in Gi) as vCPUs, in huge pages, for databases and caches.',
    hugepages: ['2Mi', '1Gi'],
    sizes: {
      large: [2, '16Gi'],
      xlarge: [4, '32Gi'],
      '2xlarge': [8, '64Gi'],
      '4xlarge': [16, '128Gi'],
      '8xlarge': [32, '256Gi'],
    },
  },
  {
    name: 'n1',
    className: 'network',
    displayName: 'Network',
    description: 'CPUs of its own and large pages for packet processing in the guest (DPDK).',
    cpu: PINNED,
    spec: UNDISTURBED,
    hugepages: ['1Gi'],
    sizes: {
      medium: [4, '4Gi'],
      large: [4, '8Gi'],
      xlarge: [8, '16Gi'],
      '2xlarge': [16, '32Gi'],
      '4xlarge': [32, '64Gi'],
      '8xlarge': [64, '128Gi'],
    },
  },
  {
    name: 'rt1',
    className: 'realtime',
    displayName: 'Realtime',
    description: 'CPUs of its own, large pages and realtime priority, for guests with deadlines.',
    cpu: { ...PINNED, ...SAME_NUMA, realtime: {} },
    spec: UNDISTURBED,
    hugepages: ['1Gi'],
    sizes: REALTIME_SIZES,
  },
];

/** All instance types of the catalogue, in the order of their series. */
export function catalogueInstancetypes(): VirtualMachineClusterInstancetype[] {
  return SERIES.flatMap((series) =>
    Object.entries(series.sizes).flatMap(([size, [vcpus, memory]]) =>
      (series.hugepages ?? [undefined]).map((pageSize, variant) => {
        const sizeName = variant === 0 ? size : `${size}${pageSize?.toLowerCase()}`;
        return instancetype(series, sizeName, vcpus, memory, pageSize);
      }),
    ),
  );
}

function instancetype(
  series: Series,
  size: string,
  vcpus: number,
  memory: string,
  pageSize: string | undefined,
): VirtualMachineClusterInstancetype {
  const spec: VirtualMachineInstancetypeSpec = {
    ...series.spec,
    cpu: { ...series.cpu, guest: vcpus, ...(series.fixedSockets ? { maxSockets: vcpus } : {}) },
    memory: {
      ...series.memory,
      guest: memory,
      ...(pageSize === undefined ? {} : { hugepages: { pageSize } }),
    },
  };
  return {
    apiVersion: CATALOGUE_API_VERSION,
    kind: 'VirtualMachineClusterInstancetype',
    metadata: {
      name: `${series.name}.${size}`,
      labels: {
        [label('class')]: series.className,
        [label('cpu')]: String(vcpus),
        [label('memory')]: memory,
        [label('size')]: size,
        [label('vendor')]: VENDOR,
        [label('version')]: series.name.slice(-1),
        ...traitLabels(spec),
      },
      annotations: {
        [label('displayName')]: series.displayName,
        [label('description')]: series.description,
      },
    },
    spec,
  };
}

/** Labels by which people look for what a type has beside its size. */
function traitLabels({ cpu, memory }: VirtualMachineInstancetypeSpec): Record<string, string> {
  const traits = {
    dedicatedCPUPlacement: cpu.dedicatedCPUPlacement === true,
    isolateEmulatorThread: cpu.isolateEmulatorThread === true,
    numa: cpu.numa !== undefined,
    realtime: cpu.realtime !== undefined,
  };
  return {
    ...Object.fromEntries(
      Object.entries(traits).flatMap(([name, present]) => (present ? [[label(name), 'true']] : [])),
    ),
    ...(memory.hugepages === undefined ? {} : { [label('hugepages')]: memory.hugepages.pageSize ?? '' }),
  };
}
