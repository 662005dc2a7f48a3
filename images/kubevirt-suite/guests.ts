/** The guests that KubeVirt's suite asks for by name: each behaves on its console as the one it stands for. */
import { MODULES as HELLO_MODULES } from '../hello/packages.ts';

export interface Guest {
  /** Name of the image, without registry and tag. */
  readonly image: string;
  /** Where the disk lies in the image. */
  readonly path: string;
  /** Directory below `kinds/` with its own files: users, prompts, what the console says. */
  readonly kind: 'alpine' | 'cirros' | 'fedora';
  readonly hasAgent: boolean;
}

const DISK = 'disk/disk.qcow2';

export const GUESTS: readonly Guest[] = [
  { kind: 'alpine', image: 'alpine-container-disk-demo', path: DISK, hasAgent: false },
  { kind: 'alpine', image: 'alpine-with-test-tooling-container-disk', path: DISK, hasAgent: true },
  { kind: 'cirros', image: 'cirros-container-disk-demo', path: DISK, hasAgent: false },
  {
    kind: 'cirros',
    image: 'cirros-custom-container-disk-demo',
    path: 'custom-disk/downloaded',
    hasAgent: false,
  },
  { kind: 'fedora', image: 'fedora-with-test-tooling-container-disk', path: DISK, hasAgent: true },
];

/** Kernel and initrd alone, as the specs of external kernels want them. */
export const KERNEL_BOOT = {
  image: 'alpine-ext-kernel-boot-demo',
  kernel: 'boot/vmlinuz-virt',
  initrd: 'boot/initramfs-virt',
} as const;

/** Containers of the suite that need a shell and its small programs. */
export const HELPERS: readonly string[] = ['vm-killer', 'test-helpers'];

/** What they need of the packages: bash for what only it understands, clients that keep listening after they spoke. */
export const HELPER_PROGRAMS: readonly string[] = ['bash', 'curl', 'ncat', 'ping'];

/** Packages of the guests' root; what they depend on comes with them. No systemd: an emulated CPU starts these in seconds. */
export const PACKAGES: readonly string[] = [
  'bash',
  'busybox-static',
  'coreutils',
  'curl',
  'dmidecode',
  'e2fsprogs',
  'ethtool',
  'iproute2',
  'iputils-ping',
  'kmod',
  'linux-image-amd64',
  'ncat',
  'netcat-openbsd',
  'openssh-client',
  'openssh-server',
  'pciutils',
  'procps',
  'python3',
  'qemu-guest-agent',
  'stress-ng',
  'sudo',
  'tpm2-tools',
  'udev',
  'wide-dhcpv6-client',
];

/** Drivers that the initrd loads: those of the hello guest, and what the suite looks at besides. */
export const MODULES: readonly string[] = [
  'crc32c_generic',
  ...HELLO_MODULES,
  'virtio_input',
  'virtio_mem',
  'usbhid',
  'vmw_vsock_virtio_transport',
];
