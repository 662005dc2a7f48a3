/** Why the Pod asks for what it asks: each resource and each node label with its field or rule. Pure. */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { Amount } from '@podvisor/base';
import {
  cpuTopology,
  explainOverhead,
  type LauncherPodOptions,
  podvisorOverhead,
  vcpuCountOf,
} from '@podvisor/translate';

/** One line: what the Pod says, and why. */
export interface PodReason {
  /** `requests.memory`, `nodeSelector kubernetes.io/arch`. */
  readonly what: string;
  readonly value: string;
  readonly reason: string;
}

export function explainPod(
  vmi: VirtualMachineInstance,
  pod: Pod,
  options: LauncherPodOptions,
): readonly PodReason[] {
  const resources = pod.spec.containers[0]?.resources ?? {};
  const explain = (kind: 'requests' | 'limits') =>
    Object.entries(resources[kind] ?? {}).map(([name, value]) => ({
      what: `${kind}.${name}`,
      value: String(value),
      reason: resourceReason(kind, name, vmi, options),
    }));
  const selectors = Object.entries(pod.spec.nodeSelector ?? {}).map(([label, value]) => ({
    what: `nodeSelector ${label}`,
    value,
    reason: selectorReason(label, vmi),
  }));
  return [...explain('requests'), ...explain('limits'), ...selectors];
}

/** By resource name; what is not here was asked for by name in the VMI. */
const RESOURCE_REASONS: Readonly<Record<string, string>> = {
  'ephemeral-storage': '50M for the files of the launcher, always',
  'devices.kubevirt.io/kvm': 'hardware virtualisation; absent with developerConfiguration.useEmulation',
  'devices.kubevirt.io/tun': 'TAP devices of the guest, always',
  'devices.kubevirt.io/vhost-net':
    'a virtio NIC in spec.domain.devices.interfaces, with hardware virtualisation',
  'devices.kubevirt.io/vhost-vsock': 'spec.domain.devices.autoattachVSOCK',
  'devices.kubevirt.io/sev': 'spec.domain.launchSecurity',
  'devices.kubevirt.io/tdx': 'spec.domain.launchSecurity.tdx',
  'devices.kubevirt.io/pr-helper': 'spec.domain.devices.disks[].lun.reservation',
};

function resourceReason(
  kind: 'requests' | 'limits',
  name: string,
  vmi: VirtualMachineInstance,
  options: LauncherPodOptions,
): string {
  const { resources, memory } = vmi.spec.domain;
  if (name.startsWith('hugepages-')) return 'guest memory in spec.domain.memory.hugepages';
  if (name === 'memory') {
    const hasOverhead = kind === 'limits' || !resources?.overcommitGuestOverhead;
    const overhead = hasOverhead ? overheadReason(vmi, options) : 'no overhead (overcommitGuestOverhead)';
    if (memory?.hugepages !== undefined) return overhead;
    return `${memorySource(kind, vmi, options)} + ${overhead}`;
  }
  if (name === 'cpu') return cpuReason(kind, vmi, options);
  return RESOURCE_REASONS[name] ?? 'spec.domain.devices.gpus, hostDevices or a network attachment';
}

/** Where the guest's share of the memory comes from. */
function memorySource(
  kind: 'requests' | 'limits',
  { spec }: VirtualMachineInstance,
  { config }: LauncherPodOptions,
): string {
  const { resources, memory } = spec.domain;
  const own = resources?.[kind]?.['memory'];
  if (own !== undefined) return `${own} spec.domain.resources.${kind}.memory`;
  const other = resources?.limits?.['memory'] ?? resources?.requests?.['memory'];
  if (other !== undefined) return `${other} spec.domain.resources`;
  const overcommit =
    config.memoryOvercommit === 100 ? '' : ` × 100 / ${config.memoryOvercommit} (memoryOvercommit)`;
  return `${memory?.guest ?? 0} spec.domain.memory.guest${overcommit}`;
}

function overheadReason(
  { spec }: VirtualMachineInstance,
  { config, overheadTable }: LauncherPodOptions,
): string {
  const items = explainOverhead(spec, {
    table: overheadTable ?? podvisorOverhead,
    architecture: spec.architecture ?? config.defaultArchitecture,
    emulated: config.useEmulation,
    ratio: config.configuration.additionalGuestMemoryOverheadRatio,
  });
  const total = items.reduce((sum, { bytes }) => sum + bytes, 0);
  const list = items.map(({ what, from, bytes }) => `${size(bytes)} ${what} (${from})`).join(', ');
  return `${size(total)} overhead: ${list}`;
}

function cpuReason(
  kind: 'requests' | 'limits',
  { spec }: VirtualMachineInstance,
  { config }: LauncherPodOptions,
): string {
  const vcpus = vcpuCountOf(cpuTopology(spec));
  if (spec.domain.cpu?.dedicatedCpuPlacement) {
    return `${vcpus} whole CPUs, spec.domain.cpu.dedicatedCpuPlacement (and those of emulator and IO threads)`;
  }
  if (spec.domain.resources?.[kind]?.['cpu'] !== undefined) return `spec.domain.resources.${kind}.cpu`;
  return kind === 'limits'
    ? `${vcpus} virtual CPUs: this namespace demands limits`
    : `${vcpus} virtual CPUs (spec.domain.cpu) / ${config.cpuAllocationRatio} (cpuAllocationRatio)`;
}

function selectorReason(label: string, { spec }: VirtualMachineInstance): string {
  if (spec.nodeSelector?.[label] !== undefined) return 'spec.nodeSelector';
  if (label === 'kubevirt.io/schedulable') return 'a node with a live virt-handler';
  if (label === 'kubernetes.io/arch') return 'spec.architecture';
  if (label.startsWith('machine-type.')) return 'spec.domain.machine.type';
  if (label.startsWith('cpu-model.')) return 'spec.domain.cpu.model';
  if (label.startsWith('cpu-feature.')) return 'spec.domain.cpu.features';
  if (label.startsWith('hyperv.')) return 'spec.domain.features.hyperv';
  if (label === 'kubevirt.io/cpumanager') return 'spec.domain.cpu.dedicatedCpuPlacement';
  return 'the cluster (developerConfiguration.nodeSelectors) or a feature of spec.domain';
}

function size(bytes: number): string {
  return Amount.ofBytes(bytes).toString();
}
