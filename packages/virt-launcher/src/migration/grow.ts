/**
 * CPUs and memory that a guest gets when it has arrived: its VMI asked for more while it ran, and the Pod that it came
 * to was made for it; or, where no other node is, in the Pod that it has. What to do is decided from the VMI and the running domain, so doing it twice changes nothing.
 */
import { devicesXml } from '../domain/devices-xml.ts';
import { explained } from '../launcher-error.ts';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import {
  cpuTopology,
  type Domain,
  type DomainMemoryDevice,
  memoryDeviceOf,
  vcpuCountOf,
} from '@podvisor/translate';
import { enabledVcpus } from '../domain/domain-facts.ts';

export type Growth =
  | { readonly kind: 'cpus'; readonly count: number }
  | { readonly kind: 'attach-memory'; readonly device: DomainMemoryDevice }
  | { readonly kind: 'resize-memory'; readonly device: DomainMemoryDevice };

/** What the domain lacks of what its VMI asks for. Pure. */
export function planGrowth(vmi: VirtualMachineInstance, live: Domain): readonly Growth[] {
  return [...cpuGrowth(vmi, live), ...memoryGrowth(vmi, live)];
}

function cpuGrowth({ spec }: VirtualMachineInstance, live: Domain): readonly Growth[] {
  if ((spec.domain.cpu?.maxSockets ?? 0) === 0) return [];
  const count = vcpuCountOf(cpuTopology(spec));
  const enabled = enabledVcpus(live);
  return enabled === undefined || count <= enabled ? [] : [{ kind: 'cpus', count }];
}

function memoryGrowth(vmi: VirtualMachineInstance, live: Domain): readonly Growth[] {
  const wanted = memoryDeviceOf(vmi);
  const present = live.devices?.memoryDevices?.find(({ model }) => model === 'virtio-mem');
  if (present === undefined) return wanted === undefined ? [] : [{ kind: 'attach-memory', device: wanted }];
  const requested = wanted?.target?.requested ?? { unit: 'b', value: 0 };
  if (inBytes(requested) === inBytes(present.target?.requested)) return [];
  // libvirt finds the device by what it is; only what is asked of it changes.
  return [{ kind: 'resize-memory', device: { ...present, target: { ...present.target, requested } } }];
}

const UNITS: Readonly<Record<string, number>> = { b: 1, bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

function inBytes(amount: { readonly unit?: string; readonly value?: number } | undefined): number {
  return (amount?.value ?? 0) * (UNITS[amount?.unit ?? 'KiB'] ?? 1);
}

/** Gives it to the running guest, and to its definition. */
export async function applyGrowth(
  { devices }: LibvirtConnection,
  domain: DomainRef,
  growth: Growth,
): Promise<void> {
  switch (growth.kind) {
    case 'cpus':
      return explained(`the guest cannot have ${growth.count} CPUs`, devices.setVcpus(domain, growth.count));
    case 'attach-memory':
      return explained('the guest cannot have more memory', devices.attach(domain, memoryXml(growth.device)));
    case 'resize-memory':
      return explained(
        "the guest's memory cannot be resized",
        devices.update(domain, memoryXml(growth.device)),
      );
  }
}

function memoryXml(device: DomainMemoryDevice): string {
  return devicesXml({ memoryDevices: [device] });
}
