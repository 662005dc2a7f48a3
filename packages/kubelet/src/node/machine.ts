/** What the machine offers to Pods. */
import { readFileSync, statfsSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { readdirSync } from 'node:fs';
import { KUBERNETES_BUILD, type Node } from '@podvisor/api';
import { Amount, parseQuantity } from '@podvisor/base';

export interface Machine {
  readonly cpuMilli: number;
  readonly memoryBytes: number;
  readonly ephemeralBytes: number;
  /** Resource name (`hugepages-2Mi`) → bytes. */
  readonly hugepages: Readonly<Record<string, number>>;
  readonly info: Readonly<Record<string, string>>;
}

const MAX_PODS = 250;
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Kubernetes' name of this processor architecture. */
export function architecture(): string {
  return ARCHITECTURES[process.arch] ?? process.arch;
}

export function readMachine(home: string): Machine {
  const disk = statfsSync(home);
  const osRelease = readText('/etc/os-release');
  return {
    cpuMilli: cpus().length * 1000,
    memoryBytes: totalmem(),
    ephemeralBytes: disk.blocks * disk.bsize,
    hugepages: readHugepages(),
    info: {
      machineID: readText('/etc/machine-id').trim(),
      systemUUID: readText('/sys/class/dmi/id/product_uuid').trim(),
      bootID: readText('/proc/sys/kernel/random/boot_id').trim(),
      kernelVersion: readText('/proc/sys/kernel/osrelease').trim(),
      osImage: /^PRETTY_NAME="?(.*?)"?$/m.exec(osRelease)?.[1] ?? 'Linux',
      containerRuntimeVersion: 'podvisor://0.1.0',
      kubeletVersion: KUBERNETES_BUILD,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: architecture(),
    },
  };
}

/**
 * What one of several nodes on the machine may promise. Memory can be given away once only; processors are
 * shared by time, so that each node may use them all.
 */
export function shareOf(machine: Machine, nodes: number): Machine {
  const part = (amount: number, unit: number): number => Math.floor(amount / nodes / unit) * unit;
  return {
    ...machine,
    memoryBytes: part(machine.memoryBytes, 1),
    ephemeralBytes: part(machine.ephemeralBytes, 1),
    hugepages: Object.fromEntries(
      Object.entries(machine.hugepages).map(([name, bytes]) => [name, part(bytes, pageBytes(name))]),
    ),
  };
}

/** `hugepages-2Mi` → 2097152. */
function pageBytes(resource: string): number {
  return parseQuantity(resource.replace('hugepages-', '')).value();
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readHugepages(): Readonly<Record<string, number>> {
  const root = '/sys/kernel/mm/hugepages';
  const found: Record<string, number> = {};
  try {
    for (const name of readdirSync(root)) {
      const kib = Number(/^hugepages-(\d+)kB$/.exec(name)?.[1] ?? 0);
      const pages = Number(readText(`${root}/${name}/nr_hugepages`));
      if (kib > 0) found[`hugepages-${Amount.ofBytes(kib * 1024).toString()}`] = kib * 1024 * pages;
    }
  } catch {
    // A kernel without huge pages.
  }
  return found;
}

type Quantities = ReadonlyMap<string, { readonly capacity: number; readonly allocatable: number }>;

/** Capacity and allocatable; what this software itself needs is small enough to come out of the page cache. */
export function nodeResources(
  machine: Machine,
  devices: Quantities,
): {
  capacity: NonNullable<Node['status']>['capacity'];
  allocatable: NonNullable<Node['status']>['allocatable'];
} {
  const base = {
    cpu: Amount.ofMilli(machine.cpuMilli).toString(),
    memory: Amount.ofBytes(Math.floor(machine.memoryBytes / 1024) * 1024).toString(),
    'ephemeral-storage': Amount.ofBytes(Math.floor(machine.ephemeralBytes / 1024) * 1024).toString(),
    pods: String(MAX_PODS),
    ...Object.fromEntries(
      Object.entries(machine.hugepages).map(([n, bytes]) => [n, Amount.ofBytes(bytes).toString()]),
    ),
  };
  const pick = (key: 'capacity' | 'allocatable'): Record<string, string> =>
    Object.fromEntries([...devices].map(([name, q]) => [name, String(q[key])]));
  return { capacity: { ...base, ...pick('capacity') }, allocatable: { ...base, ...pick('allocatable') } };
}
