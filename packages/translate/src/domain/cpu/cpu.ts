/** `<cpu>`, `<vcpu>`, `<vcpus>`: model, features, topology and hotplug slots. */
import { cpuTopology, vcpuCountOf } from './cpu-topology.ts';
import { needsSyntheticNumaCell } from '../memory/memory-backing.ts';
import { memoryDeviceOf } from '../memory/memory-device.ts';
import { guestMemoryBytes } from '../memory/memory.ts';
import type { DomainCpu } from '../model/compute.ts';
import type { Domain } from '../model/domain.ts';
import type { Conversion, Part } from '../part.ts';

const HOST_MODES: readonly string[] = ['host-model', 'host-passthrough'];

/** CPU model, features and topology. */
export const cpuPart: Part = {
  name: 'cpu',
  fields: ['spec.domain.cpu', 'spec.domain.resources'],
  convert: (input) => {
    const { spec, architecture } = input;
    const topology = cpuTopology(spec);
    const maxSockets = architecture.cpuHotplug ? spec.domain.cpu?.maxSockets || 0 : 0;
    const shown = maxSockets === 0 ? topology : { ...topology, sockets: maxSockets };
    const total = vcpuCountOf(shown);
    return {
      vcpu: { placement: 'static', value: total },
      ...(maxSockets === 0
        ? {}
        : { vcpus: hotplugSlots(total, vcpuCountOf(topology), topology.cores * topology.threads) }),
      cpu: { ...cpuModel(input), topology: shown, ...syntheticCell(input, total) },
    };
  },
};

/** The first socket can never be unplugged; of the rest, those of the current topology are plugged in. */
function hotplugSlots(total: number, enabled: number, fixed: number): Domain['vcpus'] {
  return {
    vcpu: Array.from({ length: total }, (_, id) => ({
      id,
      enabled: id < enabled ? 'yes' : 'no',
      hotpluggable: id < fixed ? 'no' : 'yes',
    })),
  };
}

function cpuModel({ spec, architecture, context, crossesArchitectures }: Conversion): DomainCpu {
  const cpu = spec.domain.cpu;
  const model = cpu?.model ?? '';
  const features = (cpu?.features ?? []).map(({ name, policy }) => ({ name, policy: policy || 'require' }));
  const mode = model === '' ? 'host-model' : HOST_MODES.includes(model) ? model : 'custom';
  if (cpu !== undefined && architecture.disableMpx && !HOST_MODES.includes(model)) {
    if (!features.some(({ name }) => name === 'mpx')) features.push({ name: 'mpx', policy: 'disable' });
  }
  // No host's CPU can be shown to a guest of another architecture: it gets all that the emulator can do.
  if (crossesArchitectures && mode !== 'custom')
    return {
      mode: 'custom',
      model: { value: 'max' },
      ...(features.length === 0 ? {} : { features }),
    };
  return {
    mode: emulatedMode(mode, context.kvmAvailable),
    ...(mode === 'custom' ? { model: { value: model } } : {}),
    ...(features.length === 0 ? {} : { features }),
  };
}

/** An emulated CPU cannot be the host's own: `maximum` is all that the emulator can do. */
function emulatedMode(mode: string, kvmAvailable: boolean): string {
  return mode === 'host-passthrough' && !kvmAvailable ? 'maximum' : mode;
}

/** Shared memory and huge pages need a NUMA cell to hang on, also when the guest has only one. */
function syntheticCell(input: Conversion, vcpus: number): DomainCpu {
  if (!needsSyntheticNumaCell(input)) return {};
  // What was plugged in since the start is a device, beside the cell.
  const plugged = memoryDeviceOf(input.vmi)?.target?.requested?.value ?? 0;
  const memory = Math.floor((guestMemoryBytes(input.spec) - plugged) / 1024);
  const cell = { id: '0', cpus: `0-${vcpus - 1}`, memory, unit: 'KiB' };
  return { numa: { cells: [cell] } };
}
