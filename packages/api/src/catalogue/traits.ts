/** What guests of the catalogue's preferences have in common: each trait is a piece of a preference. */
import type { VirtualMachinePreferenceSpec } from '../types/index.ts';

export type Trait = VirtualMachinePreferenceSpec;

const os = (name: string): Trait => ({ annotations: { 'vm.kubevirt.io/os': name } });

/** Linux with the drivers that every kernel since 2.6.25 brings. */
export const virtio: Trait = {
  ...os('linux'),
  devices: { preferredDiskBus: 'virtio', preferredInterfaceModel: 'virtio', preferredRng: {} },
};
export const transitional: Trait = { devices: { preferredUseVirtioTransitional: true } };
export const legacyDevices: Trait = {
  ...os('legacy'),
  devices: { preferredDiskBus: 'sata', preferredInterfaceModel: 'e1000' },
};

export const efi: Trait = { firmware: { preferredEfi: { secureBoot: false } } };
/** Secure Boot needs System Management Mode, which keeps the guest from changing the keys. */
export const secureBoot: Trait = {
  features: { preferredSmm: {} },
  firmware: { preferredEfi: { secureBoot: true } },
};

export const ioThread: Trait = { devices: { preferredDiskDedicatedIoThread: true } };
export const multiQueue: Trait = { devices: { preferredNetworkInterfaceMultiQueue: true } };
/** A pointer that follows the one of the viewer. */
export const desktop: Trait = {
  devices: {
    preferredAutoattachInputDevice: true,
    preferredInputBus: 'virtio',
    preferredInputType: 'tablet',
  },
};
export const spread: Trait = {
  cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'SocketsCoresThreads' } },
};
export const dpdk: Trait = {
  cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'SocketsCoresThreads', ratio: 4 } },
  ...multiQueue,
};
/** Nothing in the guest that wakes a CPU without being asked. */
export const headless: Trait = {
  devices: {
    preferredAutoattachGraphicsDevice: false,
    preferredAutoattachMemBalloon: false,
    preferredAutoattachSerialConsole: true,
  },
};

const only = (architecture: string): Trait => ({
  preferredArchitecture: architecture,
  requirements: { architecture },
});
export const amd64 = only('amd64');
export const arm64 = only('arm64');
export const s390x = only('s390x');
export const secureExecution: Trait = { preferredLaunchSecurity: {} };

/** Windows as it comes from its disk: no virtio drivers, clocks as it expects them, enlightenments. */
export const windows: Trait = {
  ...os('windows'),
  clock: {
    preferredClockOffset: { utc: {} },
    preferredTimer: {
      hpet: { present: false },
      hyperv: {},
      pit: { tickPolicy: 'delay' },
      rtc: { tickPolicy: 'catchup' },
    },
  },
  cpu: { preferredCPUTopology: 'sockets' },
  devices: {
    preferredAutoattachInputDevice: true,
    preferredDiskBus: 'sata',
    preferredInterfaceModel: 'e1000e',
  },
  features: {
    preferredAcpi: {},
    preferredApic: {},
    preferredHyperv: {
      frequencies: {},
      ipi: {},
      reenlightenment: {},
      relaxed: {},
      reset: {},
      runtime: {},
      spinlocks: { spinlocks: 8191 },
      synic: {},
      synictimer: { direct: {} },
      tlbflush: {},
      vapic: {},
      vpindex: {},
    },
  },
  // Updates are installed while Windows shuts down.
  preferredTerminationGracePeriodSeconds: 3600,
};
/** Keeps the firmware's variables: BitLocker and Secure Boot revocations live there. */
export const lateWindows: Trait = {
  features: { preferredSmm: {} },
  firmware: { preferredEfi: { secureBoot: true, persistent: true } },
};
export const tpm: Trait = { devices: { preferredTPM: { persistent: true } } };
/** Client editions of Windows use two sockets at most. */
export const cores: Trait = { cpu: { preferredCPUTopology: 'cores' } };
export const networkModel = (model: string): Trait => ({ devices: { preferredInterfaceModel: model } });
/** They stop at a PCI window above 4 GiB. */
export const noPciHole: Trait = { annotations: { 'kubevirt.io/disablePCIHole64': 'true' } };
export const virtioWindows: Trait = {
  devices: {
    preferredDiskBus: 'virtio',
    preferredInputBus: 'virtio',
    preferredInputType: 'tablet',
    preferredInterfaceModel: 'virtio',
    preferredVideoType: 'virtio',
  },
};
