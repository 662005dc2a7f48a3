/** `<memory>` and memory hotplug. */
import type { VMISpec } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { memoryDeviceOf } from './memory-device.ts';
import type { Part } from './part.ts';

/** Memory the guest sees at boot, in bytes; the request (else the limit) when the spec does not say. */
export function guestMemoryBytes(spec: VMISpec): number {
  const resources = spec.domain.resources;
  const amount = spec.domain.memory?.guest ?? resources?.requests?.memory ?? resources?.limits?.memory;
  return amount === undefined ? 0 : parseQuantity(amount).value();
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
      ...(maxGuest === undefined
        ? {}
        : {
            maxMemory: { slots: context.memorySlots ?? 0, unit: 'b', value: parseQuantity(maxGuest).value() },
          }),
      ...(plugged === undefined ? {} : { devices: { memoryDevices: [plugged] } }),
    };
  },
};
