/**
 * What the images hold, as data: sets of Debian packages, each on top of another, and images, each made of one set and
 * some of our programs. To add an image is to add a line to `IMAGES`.
 *
 * The sets are a tree on purpose: a node keeps the layers that two images have in common once.
 */
import { POD_LIB, type PodProgram } from '../home/pod-programs.ts';
import { SMALL_PROCESS } from '../home/processes.ts';

/** Debian packages, and which of their programs stay: what is not named is not in the image. */
export interface PackageSet {
  readonly name: string;
  /** The set whose files are below; absent: only Node is. */
  readonly on?: string;
  readonly packages: readonly string[];
  /** Programs, wherever the packages keep them; those of the sets below are there as well. */
  readonly programs: readonly string[];
  /** Packages that others depend on for what never happens in an image, beside `NEVER`. */
  readonly leftOut: readonly string[];
}

/** The release that all packages come from. */
export const SUITE = 'bookworm';

/** Packages that only installing, logging in or reading by people need. */
export const NEVER: readonly string[] = [
  ...['adduser', 'debconf', 'debianutils', 'dmidecode', 'dmsetup', 'dpkg', 'iso-codes', 'libcap2-bin'],
  ...['libpam-modules', 'libpam-modules-bin', 'mawk', 'openssl', 'passwd', 'readline-common', 'tar'],
  ...['util-linux-extra', 'libsemanage2', 'libsemanage-common', 'libsepol2'],
];

/** A set comes after the one that it is on. */
export const SETS: readonly PackageSet[] = [
  {
    name: 'control-plane',
    packages: ['base-files', 'ca-certificates', 'libc6', 'libstdc++6'],
    programs: [],
    // Node brings its own.
    leftOut: ['libssl3'],
  },
  {
    name: 'importer',
    on: 'control-plane',
    packages: ['coreutils', 'dash', 'qemu-utils', 'tini', 'util-linux'],
    programs: ['sh', 'dash', 'tini', 'qemu-img', 'fallocate', 'prlimit'],
    leftOut: ['libssl3'],
  },
  {
    name: 'launcher',
    on: 'importer',
    packages: [
      ...['libvirt-daemon', 'libvirt-daemon-driver-qemu', 'mount', 'ovmf', 'passt', 'qemu-system-x86'],
      ...['swtpm', 'swtpm-tools', 'xorriso'],
    ],
    programs: [
      ...['libvirtd', 'libvirt_iohelper', 'qemu-system-x86_64', 'qemu-io', 'virtiofsd', 'xorriso'],
      // A TPM, its state and its certificates.
      ...['swtpm', 'swtpm_setup', 'swtpm_localca', 'swtpm_cert', 'swtpm_ioctl', 'certtool'],
      ...['passt', 'passt.avx2'],
      // Of the scripts in POD_LIB, and of those in Pods of attached volumes and container disks.
      ...['basename', 'cp', 'dirname', 'mkdir', 'mount', 'mv', 'rm', 'sleep', 'stat', 'tail', 'truncate'],
      'unshare',
      // Of ask-node, whose libvirtd is nobody's, and of the script virtiofsd.
      'setpriv',
    ],
    leftOut: [],
  },
  {
    name: 'handler',
    on: 'control-plane',
    packages: ['iproute2', 'nftables', 'util-linux'],
    programs: ['ip', 'nft', 'nsenter'],
    leftOut: ['libssl3'],
  },
];

export interface ImageRecipe {
  readonly name: string;
  readonly title: string;
  /** The topmost of the package sets that it has. */
  readonly set: 'control-plane' | 'importer' | 'launcher' | 'handler';
  /** Programs of dist/, without `.mjs`. */
  readonly bundles: readonly string[];
  /** Programs of dist/ that are not JavaScript. */
  readonly binaries?: readonly string[];
  readonly scripts: readonly PodProgram[];
  /** Numeric: a kubelet can only then see that it is not root. */
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Compressed, in MiB; above it the build fails. The gate of SPECIFICATION.md. */
  readonly limitMiB: number;
  /** Other names under which the same image is published. */
  readonly aliases: readonly string[];
}

/** As KubeVirt's, so that policies of clusters which name them go on to fit. */
const CONTROL_PLANE_USER = '1001:1001';
const LAUNCHER_USER = '107:107';

const LEAN = { MALLOC_ARENA_MAX: '1' };

export const IMAGES: readonly ImageRecipe[] = [
  controlPlane('virt-operator', 'Installs and keeps the components, from the KubeVirt object'),
  controlPlane('virt-api', 'Webhooks and subresources'),
  controlPlane('virt-controller', 'Controllers of VMs, migrations, snapshots, exports'),
  controlPlane('virt-ui', 'The web page, with the rights of whoever uses it'),
  {
    name: 'virt-importer',
    title: 'Controller of DataVolumes; fills their claims; serves claims of VirtualMachineExports',
    set: 'importer',
    bundles: ['importer', 'data-volumes', 'virt-export', 'confined-exec'],
    scripts: ['importer', 'virt-export'],
    user: LAUNCHER_USER,
    entrypoint: ['/usr/bin/tini', '-s', '--', `${POD_LIB}/importer`],
    // Certificates that an administrator mounts in /etc/ssl/certs are trusted beside Node's own.
    env: { ...LEAN, NODE_USE_SYSTEM_CA: '1' },
    limitMiB: 60,
    aliases: ['virt-exportserver'],
  },
  {
    name: 'virt-launcher',
    title: 'Runs one VM: libvirt, QEMU, firmware, TPM, passt',
    set: 'launcher',
    // The export server is here as well: virt-controller starts it from the launcher's image.
    // So is ask-node: what this libvirt and QEMU can on a node, virt-handler's Pod asks before it starts.
    bundles: [
      ...['virt-launcher', 'virt-freezer', 'virt-probe', 'virt-lease-watch', 'virt-export', 'ask-node'],
      // Of the script virtiofsd.
      'keep-groups-exec',
    ],
    binaries: ['container-disk', 'shared-memory.so', 'quiet-pages.so'],
    scripts: [
      'virt-launcher',
      'virt-freezer',
      'virt-probe',
      'virt-lease-watch',
      'virtiofsd',
      'virt-tail',
      'virt-export',
      'ask-node',
    ],
    user: LAUNCHER_USER,
    entrypoint: ['/usr/bin/tini', '-s', '--', `${POD_LIB}/virt-launcher`],
    env: LEAN,
    limitMiB: 180,
    aliases: [],
  },
  {
    name: 'virt-handler',
    title: 'Node agent',
    set: 'handler',
    bundles: ['virt-handler', 'migration-carrier', 'memory-unpacker', 'claim-worker'],
    scripts: [],
    // It enters namespaces of Pods, mounts, and makes network devices.
    user: '0:0',
    entrypoint: componentEntrypoint('virt-handler'),
    env: LEAN,
    limitMiB: 60,
    aliases: [],
  },
];

function controlPlane(name: string, title: string): ImageRecipe {
  return {
    name,
    title,
    set: 'control-plane',
    bundles: [name],
    scripts: [],
    user: CONTROL_PLANE_USER,
    entrypoint: componentEntrypoint(name),
    env: LEAN,
    limitMiB: 60,
    aliases: [],
  };
}

/** No shell between the runtime and Node: arguments of the Pod follow, signals arrive. */
function componentEntrypoint(bundle: string): readonly string[] {
  return [`${POD_LIB}/node`, ...SMALL_PROCESS, `${POD_LIB}/${bundle}.mjs`];
}

/** The sets that an image has, lowest first. */
export function setsOf({ set }: { readonly set: string }): readonly PackageSet[] {
  const top = SETS.find(({ name }) => name === set);
  if (top === undefined) return [];
  return [...(top.on === undefined ? [] : setsOf({ set: top.on })), top];
}

/** The sets that some images have, each after the one that it is on. */
export function setsOfAll(images: readonly { readonly set: string }[]): readonly PackageSet[] {
  const needed = new Set(images.flatMap((image) => setsOf(image)));
  return SETS.filter((set) => needed.has(set));
}

/** What apt is asked for, for a set and all below it. */
export function packagesOf(sets: readonly PackageSet[]): readonly string[] {
  return sets.flatMap(({ packages }) => packages).toSorted();
}
