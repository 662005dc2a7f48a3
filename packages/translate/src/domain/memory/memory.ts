/** `<memory>` and memory hotplug. */
import type { VMISpec } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { memoryDeviceOf } from './memory-device.ts';
import type { Part } from '../part.ts';

const NANO = 1_000_000_000n;

/**
 * Memory the guest sees at boot, in whole bytes, rounded down; the request (else the limit) when the spec does not
 * say.
 */
export function guestMemoryBytes(spec: VMISpec): number {
  const resources = spec.domain.resources;
  const amount = spec.domain.memory?.guest ?? resources?.requests?.memory ?? resources?.limits?.memory;
  return amount === undefined ? 0 : wholeBytes(amount);
}

/** The guest may get more memory than it starts with. */
export function canGrow(spec: VMISpec): boolean {
  const maxGuest = spec.domain.memory?.maxGuest;
  return maxGuest !== undefined && wholeBytes(maxGuest) !== guestMemoryBytes(spec);
}

function wholeBytes(quantity: string | number): number {
  return Number(parseQuantity(quantity).nano / NANO);
}

/** Guest memory; with `maxGuest`, the ceiling up to which it can grow. What was plugged in later is a device. */
export const memoryPart: Part = {
  name: 'memory',
  fields: ['spec.domain.memory', 'spec.domain.resources'],
  convert: ({ vmi, spec, context }) => {
    const maxGuest = spec.domain.memory?.maxGuest;
    const plugged = memoryDeviceOf(vmi);
    const guest = guestMemoryBytes(spec);
    return {
      memory: {
        unit: 'b',
        value: plugged === undefined ? guest : guest - (plugged.target?.requested?.value ?? 0),
      },
      // A guest that has grown to its ceiling keeps it: what it was started with is the smaller part.
      ...(maxGuest === undefined || (plugged === undefined && !canGrow(spec))
        ? {}
        : { maxMemory: { slots: context.memorySlots ?? 0, unit: 'b', value: wholeBytes(maxGuest) } }),
      ...(plugged === undefined ? {} : { devices: { memoryDevices: [plugged] } }),
    };
  },
};
