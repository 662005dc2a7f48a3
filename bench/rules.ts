/** What admission costs: defaults and rules of a typical VMI and VM, and the instancetype merged into a template. */
import { note } from './targets.ts';
import {
  clusterConfig,
  defaultVm,
  defaultVmi,
  expandVmiSpec,
  validateVmCreate,
  validateVmiCreate,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';

const ROUNDS = 20_000;
const WARM_UP = 3_000;

const config = clusterConfig();
const context = {
  config,
  now: '2026-01-01T00:00:00Z',
  newUuid: () => '5d307ca9-b3ef-428c-8861-06e72d69f223',
};

/** Two disks, cloud-init, one interface: what most people run. */
const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'typical', namespace: 'default', labels: { app: 'typical' } },
  spec: {
    domain: {
      cpu: { cores: 2 },
      memory: { guest: '2Gi' },
      devices: {
        disks: [
          { name: 'root', disk: { bus: 'virtio' }, bootOrder: 1 },
          { name: 'data', disk: { bus: 'virtio' } },
          { name: 'init', disk: { bus: 'virtio' } },
        ],
        interfaces: [{ name: 'default', masquerade: {}, ports: [{ port: 22 }] }],
        rng: {},
      },
    },
    networks: [{ name: 'default', pod: {} }],
    terminationGracePeriodSeconds: 60,
    volumes: [
      { name: 'root', containerDisk: { image: 'quay.io/containerdisks/fedora:42' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'init', cloudInitNoCloud: { userData: '#cloud-config\npassword: fedora\n' } },
    ],
  },
};
const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: vmi.metadata,
  spec: { runStrategy: 'Always', template: { metadata: { labels: { app: 'typical' } }, spec: vmi.spec } },
};
const { cpu: _cpu, memory: _memory, ...plainDomain } = vmi.spec.domain;
const expansion = { instancetype: { cpu: { guest: 2 }, memory: { guest: '2Gi' } }, preference: {} };

/** One measurement: the median of the time that a call takes, in microseconds. */
export interface RuleFigure {
  readonly name: string;
  readonly medianMicroseconds: number;
  readonly p99Microseconds: number;
}

export function measureRules(rounds = ROUNDS): readonly RuleFigure[] {
  const defaulted = defaultVmi(vmi, context);
  const stored = defaultVm(vm, context);
  const judge = { config, isKubeVirtServiceAccount: false };
  if (!validateVmiCreate(defaulted, judge).allowed) throw new Error('the typical VMI is refused');
  return [
    measure('default a VMI', rounds, () => defaultVmi(vmi, context)),
    measure('validate a VMI', rounds, () => validateVmiCreate(defaulted, judge)),
    measure('default a VM', rounds, () => defaultVm(vm, context)),
    measure('validate a VM', rounds, () => validateVmCreate(stored, { config })),
    measure('expand an instancetype', rounds, () =>
      expandVmiSpec({ ...vmi.spec, domain: plainDomain }, {}, expansion),
    ),
  ];
}

function measure(name: string, rounds: number, call: () => unknown): RuleFigure {
  for (let i = 0; i < WARM_UP; i += 1) call();
  const times = Array.from({ length: rounds }, () => {
    const started = process.hrtime.bigint();
    call();
    return Number(process.hrtime.bigint() - started) / 1000;
  }).toSorted((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { name, medianMicroseconds: at(0.5), p99Microseconds: at(0.99) };
}

export async function benchRules(): Promise<void> {
  const figures = measureRules();
  const slowest = Math.max(...figures.map(({ medianMicroseconds }) => medianMicroseconds));
  note('rules', slowest);
  for (const { medianMicroseconds, name, p99Microseconds } of figures) {
    const [median, p99] = [medianMicroseconds, p99Microseconds].map((time) => time.toFixed(1).padStart(8));
    console.log(`${name.padEnd(24)} p50 ${median} µs   p99 ${p99} µs`);
  }
}
