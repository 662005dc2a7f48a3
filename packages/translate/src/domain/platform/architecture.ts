/** What differs between guest architectures, as data. */

/** Rules of one architecture. */
export interface Architecture {
  readonly name: 'amd64' | 'arm64' | 's390x';
  /** libvirt's name of it. */
  readonly osArch: string;
  readonly defaultMachine: string;
  /** SMBIOS tables can carry our sysinfo. */
  readonly smbios: boolean;
  /** Virtio devices are PCI devices with a transitional choice; otherwise plain `virtio`. */
  readonly pciVirtio: boolean;
  /** NICs can be told not to load an option ROM. */
  readonly nicRom: boolean;
  readonly vmport: boolean;
  readonly usb: 'on-demand' | 'always' | 'never';
  readonly scsiModel: 'virtio-model' | 'virtio-scsi';
  readonly cpuHotplug: boolean;
  /** Named CPU models carry the obsolete feature mpx, which newer hosts lack. */
  readonly disableMpx: boolean;
  /** Boards without PS/2 get these as soon as there is a screen. */
  readonly screenInputs: readonly { readonly type: 'tablet' | 'keyboard'; readonly bus: 'usb' | 'virtio' }[];
  readonly videoModel: 'vga' | 'virtio';
  readonly watchdogModel?: 'i6300esb' | 'diag288';
  readonly pciHole64: boolean;
  /** Guests can have NUMA cells, without which memory cannot come from a memory file. */
  readonly numa: boolean;
}

const AMD64: Architecture = {
  name: 'amd64',
  osArch: 'x86_64',
  defaultMachine: 'q35',
  smbios: true,
  pciVirtio: true,
  nicRom: true,
  vmport: true,
  usb: 'on-demand',
  scsiModel: 'virtio-model',
  cpuHotplug: true,
  disableMpx: true,
  screenInputs: [],
  videoModel: 'vga',
  watchdogModel: 'i6300esb',
  pciHole64: true,
  numa: true,
};
const ARM64: Architecture = {
  name: 'arm64',
  osArch: 'aarch64',
  defaultMachine: 'virt',
  smbios: true,
  pciVirtio: true,
  nicRom: true,
  vmport: false,
  usb: 'always',
  scsiModel: 'virtio-model',
  cpuHotplug: false,
  disableMpx: false,
  screenInputs: [
    { type: 'tablet', bus: 'usb' },
    { type: 'keyboard', bus: 'usb' },
  ],
  videoModel: 'virtio',
  pciHole64: false,
  numa: true,
};
const S390X: Architecture = {
  name: 's390x',
  osArch: 's390x',
  defaultMachine: 's390-ccw-virtio',
  smbios: false,
  pciVirtio: false,
  nicRom: false,
  vmport: false,
  usb: 'never',
  scsiModel: 'virtio-scsi',
  cpuHotplug: true,
  disableMpx: false,
  screenInputs: [{ type: 'keyboard', bus: 'virtio' }],
  videoModel: 'virtio',
  watchdogModel: 'diag288',
  pciHole64: false,
  numa: false,
};

/** The rules for a Kubernetes architecture name; amd64 for anything else. */
export function architectureOf(name: string | undefined): Architecture {
  if (name === 'arm64') return ARM64;
  if (name === 's390x') return S390X;
  return AMD64;
}

/** Model string of every virtio device. */
export function virtioModel(architecture: Architecture, transitional: boolean): string {
  if (!architecture.pciVirtio) return 'virtio';
  return transitional ? 'virtio-transitional' : 'virtio-non-transitional';
}
