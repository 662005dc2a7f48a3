/** Devices that need no more than a line or two each. */
import type { DomainHostDevice } from '../model/devices.ts';
import { ConversionError, type Part } from '../part.ts';

const USB_REDIRECTION_SLOTS = 4;

/** `<memballoon>`: memory statistics, and pages given back to the host. */
export const balloonPart: Part = {
  name: 'balloon',
  fields: ['spec.domain.devices.autoattachMemBalloon'],
  convert: ({ spec, context, virtio, encrypted }) => {
    if (spec.domain.devices.autoattachMemBalloon === false)
      return { devices: { memoryBalloon: { model: 'none' } } };
    const period = context.memBalloonStatsPeriodSeconds ?? 0;
    return {
      devices: {
        memoryBalloon: {
          model: virtio,
          freePageReporting: context.freePageReporting ? 'on' : 'off',
          ...(period === 0 ? {} : { stats: { period } }),
          ...(encrypted ? { driver: { iommu: 'on' } } : {}),
        },
      },
    };
  },
};

/** `<rng>` */
export const rngPart: Part = {
  name: 'rng',
  fields: ['spec.domain.devices.rng'],
  convert: ({ spec, virtio, encrypted }) =>
    spec.domain.devices.rng === undefined
      ? {}
      : {
          devices: {
            rng: {
              model: virtio,
              backend: { model: 'random', source: '/dev/urandom' },
              ...(encrypted ? { driver: { iommu: 'on' } } : {}),
            },
          },
        },
};

/** `<watchdog>` */
export const watchdogPart: Part = {
  name: 'watchdog',
  fields: ['spec.domain.devices.watchdog'],
  convert: ({ spec, architecture }) => {
    const watchdog = spec.domain.devices.watchdog;
    if (watchdog === undefined) return {};
    const model = architecture.watchdogModel;
    if (model === undefined) {
      throw new ConversionError(
        'watchdog is not supported on architecture ARM64',
        'spec.domain.devices.watchdog',
      );
    }
    const target = watchdog[model];
    if (target === undefined) {
      throw new ConversionError(
        `watchdog ${watchdog.name} can't be mapped, no watchdog type specified`,
        'spec.domain.devices.watchdog',
      );
    }
    const action = target.action || 'reset';
    return { devices: { watchdogs: [{ model, action, alias: { name: `ua-${watchdog.name}` } }] } };
  },
};

/** `<tpm>`: kept across restarts only when asked, and then with the interface that Windows expects. */
export const tpmPart: Part = {
  name: 'tpm',
  fields: ['spec.domain.devices.tpm'],
  convert: ({ spec }) => {
    const tpm = spec.domain.devices.tpm;
    if (tpm === undefined || tpm.enabled === false) return {};
    const backend = { type: 'emulator', version: '2.0' };
    return {
      devices: {
        tpms: [
          tpm.persistent
            ? { model: 'tpm-crb', backend: { ...backend, persistentState: 'yes' } }
            : { model: 'tpm-tis', backend },
        ],
      },
    };
  },
};

const SOUND_CARDS: readonly string[] = ['ich9', 'ac97'];

/** `<sound>` */
export const soundPart: Part = {
  name: 'sound',
  fields: ['spec.domain.devices.sound'],
  convert: ({ spec }) => {
    const sound = spec.domain.devices.sound;
    if (sound === undefined) return {};
    const model = sound.model || 'ich9';
    if (!SOUND_CARDS.includes(model))
      throw new ConversionError(`invalid model: ${model}`, 'spec.domain.devices.sound.model');
    return { devices: { sounds: [{ model, alias: { name: `ua-${sound.name}` } }] } };
  },
};

/** `<panic>` */
export const panicPart: Part = {
  name: 'panic',
  fields: ['spec.domain.devices.panicDevices'],
  convert: ({ spec }) => {
    const panics = (spec.domain.devices.panicDevices ?? []).map(({ model }) =>
      model === undefined ? {} : { model },
    );
    return panics.length === 0 ? {} : { devices: { panics } };
  },
};

/** `<redirdev>`: USB devices of a client, four at a time. */
export const usbRedirectionPart: Part = {
  name: 'usb-redirection',
  fields: ['spec.domain.devices.clientPassthrough'],
  convert: ({ uid, spec, paths }) => {
    if (spec.domain.devices.clientPassthrough === undefined) return {};
    const directory = paths.guestSockets(uid);
    const redirectedDevices = Array.from({ length: USB_REDIRECTION_SLOTS }, (_, slot) => ({
      bus: 'usb',
      type: 'unix',
      source: { mode: 'bind', path: `${directory}/virt-usbredir-${slot}` },
    }));
    return { devices: { redirectedDevices } };
  },
};

/** `<vsock>` with the context id that the controller reserved. */
export const vsockPart: Part = {
  name: 'vsock',
  fields: ['spec.domain.devices.autoattachVSOCK', 'status.VSOCKCID'],
  convert: ({ vmi, virtio }) => {
    const cid = vmi.status?.VSOCKCID;
    if (cid === undefined) return {};
    return { devices: { vsock: { model: virtio, cid: { auto: 'no', address: String(cid) } } } };
  },
};

/** `<filesystem>`: virtiofs, served by a container of its own. */
export const filesystemsPart: Part = {
  name: 'filesystems',
  fields: ['spec.domain.devices.filesystems'],
  convert: ({ spec, paths }) => {
    const filesystems = (spec.domain.devices.filesystems ?? []).map(({ name }) => ({
      type: 'mount',
      accessMode: 'passthrough',
      driver: { type: 'virtiofs', queue: 1024 },
      source: { dir: '', socket: paths.virtiofsSocket(name) },
      target: { dir: name },
    }));
    return filesystems.length === 0 ? {} : { devices: { filesystems } };
  },
};

function throughIommufd(device: DomainHostDevice): DomainHostDevice {
  return device.type === 'pci' ? { ...device, driver: { ...device.driver, iommufd: 'yes' } } : device;
}

/** `<hostdev>`: host devices that the Pod was given. */
export const hostDevicesPart: Part = {
  name: 'host-devices',
  fields: [
    'spec.domain.devices.hostDevices',
    'spec.domain.devices.gpus',
    'spec.domain.devices.interfaces[].sriov',
  ],
  convert: ({ context }) => {
    const devices = [
      ...(context.hostDevices ?? []),
      ...(context.gpus ?? []),
      ...(context.sriovDevices ?? []),
    ];
    const hostDevices = context.iommufd ? devices.map(throughIommufd) : devices;
    return {
      ...(context.iommufd ? { iommufd: { enabled: 'yes', fdgroup: 'iommu' } } : {}),
      ...(hostDevices.length === 0 ? {} : { devices: { hostDevices } }),
    };
  },
};

const IGNITION_ANNOTATION = 'kubevirt.io/ignitiondata';

/** `<qemu:commandline>` for guests that read their first-boot configuration from the firmware. */
export const ignitionPart: Part = {
  name: 'ignition',
  fields: [`metadata.annotations[${IGNITION_ANNOTATION}]`],
  convert: ({ name, namespace, annotations, paths }) => {
    if (!annotations[IGNITION_ANNOTATION]?.includes('ignition')) return {};
    const file = paths.ignitionFile(namespace, name);
    return {
      xmlnsQemu: 'http://libvirt.org/schemas/domain/qemu/1.0',
      qemuCommandLine: { args: [{ value: '-fw_cfg' }, { value: `name=opt/com.coreos/config,file=${file}` }] },
    };
  },
};
