/** Inputs, IO threads, sound, displays and other small devices. */
import { isGateEnabled } from '../../config/cluster-config.ts';
import type { GPU, VMISpec } from '../../types/index.ts';
import { invalid, type Rule, when } from '../rule.ts';

const IO_THREADS_POLICIES = ['shared', 'auto', 'supplementalPool'];
const PANIC_MODELS = ['hyperv', 'isa', 'pvpanic'];

export const inputRules: readonly Rule<VMISpec>[] = [
  {
    id: 'inputs',
    field: 'domain.devices.inputs[]',
    summary: 'An input device is a tablet on the usb or virtio bus.',
    check: (spec, { path }) =>
      (spec.domain.devices.inputs ?? []).flatMap(({ bus, type }, index) => {
        const field = `${path}.domain.devices.inputs[${index}]`;
        return [
          ...when(bus && bus !== 'virtio' && bus !== 'usb', () =>
            invalid(`${field}.bus`, 'Input device can have only virtio or usb bus.'),
          ),
          ...when(type !== 'tablet', () =>
            invalid(`${field}.type`, 'Input device can have only tablet type.'),
          ),
        ];
      }),
  },
  {
    id: 'ioThreadsPolicy',
    field: 'domain.ioThreadsPolicy',
    summary: 'The IO thread policy is shared, auto or supplementalPool; the latter says how many threads.',
    check: (spec, { path }) => {
      const policy = spec.domain.ioThreadsPolicy;
      if (policy === undefined) return [];
      const count = spec.domain.ioThreads?.supplementalPoolThreadCount ?? 0;
      return [
        ...when(!IO_THREADS_POLICIES.includes(policy), () =>
          invalid(`${path}.domain.ioThreadsPolicy`, `Invalid IOThreadsPolicy (${policy})`),
        ),
        ...when(policy === 'supplementalPool' && count < 1, () =>
          invalid(
            `${path}.domain.ioThreads.count`,
            'the number of iothreads needs to be set and positive for the dedicated policy',
          ),
        ),
      ];
    },
  },
];

export const passthroughRules: readonly Rule<VMISpec>[] = [
  {
    id: 'gpus.ramFB',
    field: 'domain.devices.gpus[].virtualGPUOptions.display.ramFB',
    summary: 'At most one virtual GPU shows a boot display (ramfb).',
    check: (spec, { path }) =>
      when((spec.domain.devices.gpus ?? []).filter(hasRamFB).length > 1, () =>
        invalid(`${path}.GPUs`, 'configuring multiple displays with ramfb is not valid '),
      ),
  },
  {
    id: 'hostDevices.gate',
    field: 'domain.devices.hostDevices',
    summary: 'Host devices need the gate HostDevices.',
    check: (spec, { config, path }) =>
      when(spec.domain.devices.hostDevices && !isGateEnabled(config, 'HostDevices'), () =>
        invalid(`${path}.HostDevices`, 'Host Devices feature gate is not enabled in kubevirt-config'),
      ),
  },
];

export const soundRules: readonly Rule<VMISpec>[] = [
  {
    id: 'sound',
    field: 'domain.devices.sound',
    summary: 'A sound device has a name and the model ich9 or ac97.',
    check: (spec, { path }) => {
      const { sound } = spec.domain.devices;
      if (!sound) return [];
      return [
        ...when(sound.model && sound.model !== 'ich9' && sound.model !== 'ac97', () =>
          invalid(`${path}.Sound`, "Sound device type is not supported. Options: 'ich9' or 'ac97'"),
        ),
        ...when(!sound.name, () => invalid(`${path}.Sound`, 'Sound device requires a name field.')),
      ];
    },
  },
];

export const vsockRules: readonly Rule<VMISpec>[] = [
  {
    id: 'vsock.gate',
    field: 'domain.devices.autoattachVSOCK',
    summary: 'VSOCK needs the gate VSOCK.',
    check: (spec, { config, path }) =>
      when(spec.domain.devices.autoattachVSOCK && !isGateEnabled(config, 'VSOCK'), () =>
        invalid(
          `${path}.domain.devices.autoattachVSOCK`,
          'VSOCK feature gate is not enabled in kubevirt-config',
        ),
      ),
  },
];

export const downwardMetricsRules: readonly Rule<VMISpec>[] = [
  {
    id: 'downwardMetrics.gate',
    field: 'domain.devices.downwardMetrics',
    summary: 'The downwardMetrics device needs the gate DownwardMetrics.',
    check: (spec, { config, path }) =>
      when(spec.domain.devices.downwardMetrics && !isGateEnabled(config, 'DownwardMetrics'), () =>
        invalid(
          `${path}.domain.devices.downwardMetrics`,
          'downwardMetrics virtio serial is not allowed: DownwardMetrics feature gate is not enabled',
        ),
      ),
  },
];

export const videoRules: readonly Rule<VMISpec>[] = [
  {
    id: 'video.graphics',
    field: 'domain.devices.video',
    summary: 'A video device needs graphics: autoattachGraphicsDevice must not be false.',
    check: (spec, { path }) =>
      when(spec.domain.devices.video && spec.domain.devices.autoattachGraphicsDevice === false, () =>
        invalid(
          `${path}.video`,
          'Video configuration is not allowed when autoattachGraphicsDevice is set to false',
        ),
      ),
  },
  {
    id: 'panicDevices',
    field: 'domain.devices.panicDevices[]',
    summary: 'A panic device has the model hyperv, isa or pvpanic; s390x has none.',
    check: (spec, { config, path }) => {
      const devices = spec.domain.devices.panicDevices ?? [];
      const field = `${path}.domain.devices.panicDevices`;
      const architecture = spec.architecture || config.defaultArchitecture;
      return [
        ...when(devices.length > 0 && architecture === 's390x', () =>
          invalid(field, `custom panic devices are not supported on ${architecture} architecture`),
        ),
        ...devices.flatMap(({ model }, index) =>
          when(model !== undefined && !PANIC_MODELS.includes(model), () =>
            invalid(`${field}[${index}].model`, `invalid PanicDeviceModel(${model})`),
          ),
        ),
      ];
    },
  },
];

/** A display is on, and shows ramfb, unless it says otherwise. */
function hasRamFB({ virtualGPUOptions }: GPU): boolean {
  const display = virtualGPUOptions?.display;
  return display !== undefined && display.enabled !== false && display.ramFB?.enabled !== false;
}
