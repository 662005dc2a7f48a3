/**
 * Room for memory that comes later, in words that older libvirt understands. The translation says what KubeVirt says:
 * a ceiling, no slots, no NUMA; virtio-mem needs neither. libvirt 9.0 refuses a ceiling without both, and an empty
 * slot and a cell that holds the whole guest change nothing. Pure.
 */
import type { Domain } from '../model/domain.ts';

export function withRoomForMemory(domain: Domain): Domain {
  const { cpu, maxMemory, memory, vcpu } = domain;
  if (maxMemory === undefined) return domain;
  const kibibytes = (memory?.value ?? 0) / 1024;
  const cell = { id: '0', cpus: `0-${(vcpu?.value ?? 1) - 1}`, memory: kibibytes, unit: 'KiB' };
  return {
    ...domain,
    maxMemory: { ...maxMemory, slots: Math.max(1, maxMemory.slots ?? 0) },
    cpu: (cpu?.numa?.cells ?? []).length > 0 ? cpu : { ...cpu, numa: { cells: [cell] } },
  };
}
