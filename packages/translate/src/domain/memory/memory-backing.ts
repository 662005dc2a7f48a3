/** `<memoryBacking>`: huge pages, shared memory, locked and unmerged pages. */
import type { VMISpec } from '@podvisor/api';
import { memoryDeviceOf } from './memory-device.ts';
import { canGrow } from './memory.ts';
import { hasSharedMemoryDevice } from './shared-memory.ts';
import type { Domain } from '../model/domain.ts';
import type { Conversion, Part } from '../part.ts';

const MEMFD_ANNOTATION = 'kubevirt.io/memfd';

/** Guest memory comes from huge pages. */
export function usesHugepages(spec: VMISpec): boolean {
  return spec.domain.memory?.hugepages !== undefined;
}

/** NUMA cells mirror those of the host. */
export function mapsHostNuma(spec: VMISpec): boolean {
  return spec.domain.cpu?.numa?.guestMappingPassthrough !== undefined;
}

/** A single made-up NUMA cell is needed, because nothing else makes one. */
export function needsSyntheticNumaCell(input: Conversion): boolean {
  const { vmi, spec, context } = input;
  if (spec.domain.cpu?.numa !== undefined) return false;
  const pluggable = Boolean(context.memorySlots) && (canGrow(spec) || memoryDeviceOf(vmi) !== undefined);
  return pluggable || needsMemfd(input);
}

/** Huge pages come from a memory file unless somebody opted out; shared memory always does. */
function needsMemfd({ architecture, spec, annotations }: Conversion): boolean {
  if (!architecture.numa) return false;
  return hasSharedMemoryDevice(spec) || (usesHugepages(spec) && annotations[MEMFD_ANNOTATION] !== 'false');
}

/** Where guest memory comes from. */
export const memoryBackingPart: Part = {
  name: 'memory-backing',
  fields: ['spec.domain.memory.hugepages', 'spec.domain.devices.filesystems'],
  convert: (input) => {
    const { spec } = input;
    const backing: NonNullable<Domain['memoryBacking']> = {
      ...(usesHugepages(spec) ? { hugepages: {} } : {}),
      ...(needsMemfd(input) ? { source: { type: 'memfd' } } : {}),
      ...(hasSharedMemoryDevice(spec) ? { access: { mode: 'shared' } } : {}),
    };
    return Object.keys(backing).length === 0 ? {} : { memoryBacking: backing };
  },
};
