/**
 * Where everything is inside a launcher Pod, in one table: the Pod's mounts, the launcher's flags, the code that makes
 * the files and the domain XML that names them all ask here, so they agree without asking one another. Pure functions
 * of directories, volume, index and name. A directory that is given elsewhere takes along what lies below it.
 */

/** Directories of a launcher Pod. The first ones are mounts, and flags of the launcher (`LAUNCHER_DIRECTORY_FLAGS`). */
export interface LauncherDirectories {
  /** What virt-handler and the Pod's other containers see too. */
  readonly shareDir: string;
  /** Ours alone: libvirt's state, claims, images made of Kubernetes objects, serial and VNC sockets. */
  readonly privateDir: string;
  /** For overlays and cloud-init images. */
  readonly ephemeralDir: string;
  /** Links to the files found in image volumes. */
  readonly containerDisks: string;
  /** One directory per image volume, `disk_<index of the volume>`. */
  readonly imageVolumes: string;
  /** The image with kernel and initrd. */
  readonly kernelBoot: string;
  /** libvirt's runtime files. */
  readonly libvirtRuntime: string;
  /** A directory for each hook sidecar. */
  readonly hooks: string;
  readonly podInfo: string;
  readonly devices: string;
  readonly sockets: string;
  readonly hotplugDisks: string;
  readonly virtiofsSockets: string;
  readonly overlays: string;
  readonly cloudInit: string;
  readonly ignition: string;
  readonly emptyDisks: string;
  /** Claims and host disks; images elsewhere live and die with the Pod. */
  readonly claims: string;
  /** UEFI variables. */
  readonly nvram: string;
  /** Bitmaps of changed blocks. */
  readonly bitmaps: string;
}

/** The launcher's flag for each directory that it can be told; KubeVirt's names where it has them. */
export const LAUNCHER_DIRECTORY_FLAGS = {
  shareDir: 'kubevirt-share-dir',
  privateDir: 'private-dir',
  ephemeralDir: 'ephemeral-disk-dir',
  containerDisks: 'container-disk-dir',
  imageVolumes: 'image-volume-dir',
  kernelBoot: 'kernel-boot-dir',
  libvirtRuntime: 'libvirt-runtime-dir',
  hooks: 'hooks-dir',
} as const satisfies Partial<Record<keyof LauncherDirectories, string>>;

/** Name, among the plugged disks, of the directory with shared memory; no volume has such a name. */
export const SHARED_MEMORY = '.shared-memory';

/** Name, in a launcher's sockets directory, of the socket at which QEMU answers questions for numbers. */
export const QEMU_SOCKET = 'qemu-sock';

/** Where virt-handler keeps its own state on a node. */
export const HANDLER_STATE_DIR = '/var/run/kubevirt-private';

export type ConfigDiskKind = 'configMap' | 'secret' | 'downwardAPI' | 'serviceAccount' | 'sysprep';

/** All paths of a launcher Pod. */
export interface LauncherPaths extends LauncherDirectories {
  /** Where the command server listens; before it is ready, `initSocket`. */
  readonly socket: string;
  readonly initSocket: string;
  /** Where QEMU answers virt-handler's questions for numbers (QMP). */
  readonly qemuSocket: string;
  /** The script that runs QEMU where there is no KVM. */
  readonly emulator: string;
  /** The script that runs QEMU for guests that begin with shared memory, where there is no other. */
  readonly sharingEmulator: string;
  /** Where virt-handler shows memory that copies of one snapshot share. */
  readonly sharedMemory: string;
  /** Serial and VNC sockets of a VMI's domain. */
  guestSockets(uid: string): string;
  virtiofsSocket(volume: string): string;
  ignitionFile(namespace: string, name: string): string;
  /** qcow2 overlay of a containerDisk or ephemeral volume. */
  overlay(volume: string): string;
  emptyDisk(volume: string): string;
  /** Mount point of the image volume of the volume at `index` in `spec.volumes`. */
  imageVolume(index: number): string;
  /** Link to the disk image inside that image volume; what the domain XML names. */
  containerDisk(index: number): string;
  /** Directory of a Filesystem PVC or hostDisk. */
  volumeDirectory(volume: string): string;
  /** Image file of a Filesystem PVC. */
  claimImage(volume: string): string;
  hostDisk(volume: string, path: string): string;
  /** Device of a Block PVC. */
  blockDevice(volume: string): string;
  /** Device or image of a claim that was plugged into the running Pod. */
  hotplugDisk(volume: string, block: boolean): string;
  /** qcow2 that keeps the bitmaps of changed blocks of a volume. */
  changedBlocks(volume: string): string;
  /** Disk and socket through which the guest reads facts about its host. */
  readonly downwardMetrics: string;
  readonly downwardMetricsSocket: string;
  noCloudIso(namespace: string, name: string): string;
  configDriveIso(namespace: string, name: string): string;
  /** Directory where the secret of a cloud-init volume is mounted. */
  cloudInitSecret(volume: string): string;
  accessCredential(secret: string): string;
  /** Link to a kernel or initrd inside the kernel boot image. */
  kernelFile(path: string): string;
  /** Source directory and ISO of a volume that shows Kubernetes data as a disk. */
  configDisk(kind: ConfigDiskKind, name: string): { readonly source: string; readonly iso: string };
}

/** Where Kubernetes itself mounts the token of a Pod's service account. */
const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';

const CONFIG_DISKS: Record<ConfigDiskKind, readonly [source: string, isos: string]> = {
  configMap: ['config-map', 'config-map-disks'],
  secret: ['secret', 'secret-disks'],
  downwardAPI: ['downwardapi', 'downwardapi-disks'],
  serviceAccount: ['service-account', 'service-account-disk'],
  sysprep: ['sysprep', 'sysprep-disks'],
};

/** The names by which images of claims are known in any launcher, whatever its directories are. */
const CLAIMS = 'vmi-disks';
const HOTPLUG = 'hotplug-disks';

/** The volume of an image or device that was plugged into the running Pod; undefined: it was not. */
export function pluggedVolumeOf(path: string): string | undefined {
  return path.split(`/${HOTPLUG}/`)[1]?.replace(/\.img$/, '');
}

/** Name, among the plugged disks, of the directory that a plugged image is in; no volume has such a name. */
export function pluggedClaimName(volume: string): string {
  return `.${volume}.claim`;
}

/**
 * The path of an image beside which its lease is: in the directory of its claim, also when only the image was
 * plugged. Undefined: a device, or an image that lives and dies with the Pod.
 */
export function leasedImageOf(image: string): string | undefined {
  if (isClaimPath(image)) return image;
  const volume = pluggedVolumeOf(image);
  if (volume === undefined || !image.endsWith('.img')) return undefined;
  return `${image.slice(0, image.lastIndexOf('/'))}/${pluggedClaimName(volume)}/disk.img`;
}

/** The image is on a claim or host disk that was there from the start. */
export function isClaimPath(path: string): boolean {
  return path.includes(`/${CLAIMS}/`);
}

function launcherDirectories(given: Partial<LauncherDirectories>): LauncherDirectories {
  const {
    shareDir = '/var/run/kubevirt',
    privateDir = '/var/run/kubevirt-private',
    ephemeralDir = '/var/run/kubevirt-ephemeral-disks',
    libvirtRuntime = '/var/run/libvirt',
  } = given;
  return {
    containerDisks: `${shareDir}/container-disks`,
    imageVolumes: '/var/run/kubevirt-image-volume',
    kernelBoot: '/var/run/kubevirt-kernel-boot',
    hooks: '/var/run/kubevirt-hooks',
    podInfo: '/etc/podinfo',
    devices: '/dev',
    sockets: `${shareDir}/sockets`,
    hotplugDisks: `${shareDir}/${HOTPLUG}`,
    virtiofsSockets: `${shareDir}/virtiofs-containers`,
    overlays: `${ephemeralDir}/disk-data`,
    cloudInit: `${ephemeralDir}/cloud-init-data`,
    ignition: `${ephemeralDir}/ignition-data`,
    emptyDisks: `${libvirtRuntime}/empty-disks`,
    claims: `${privateDir}/${CLAIMS}`,
    nvram: `${privateDir}/libvirt/qemu/nvram`,
    bitmaps: `${privateDir}/libvirt/qemu/cbt`,
    ...given,
    shareDir,
    privateDir,
    ephemeralDir,
    libvirtRuntime,
  };
}

/** `given`: what is not where launcher Pods have it. */
export function launcherPaths(given: Partial<LauncherDirectories> = {}): LauncherPaths {
  const directories = launcherDirectories(given);
  const { privateDir, claims, cloudInit, sockets } = directories;
  return {
    ...directories,
    socket: `${sockets}/launcher-sock`,
    initSocket: `${sockets}/launcher-init-sock`,
    qemuSocket: `${sockets}/${QEMU_SOCKET}`,
    emulator: `${directories.libvirtRuntime}/qemu`,
    sharingEmulator: `${directories.libvirtRuntime}/qemu-sharing`,
    sharedMemory: `${directories.hotplugDisks}/${SHARED_MEMORY}`,
    guestSockets: (uid) => `${privateDir}/${uid}`,
    virtiofsSocket: (volume) => `${directories.virtiofsSockets}/${volume}.sock`,
    ignitionFile: (namespace, name) => `${directories.ignition}/${namespace}/${name}/data.ign`,
    overlay: (volume) => `${directories.overlays}/${volume}/disk.qcow2`,
    emptyDisk: (volume) => `${directories.emptyDisks}/${volume}.qcow2`,
    imageVolume: (index) => `${directories.imageVolumes}/disk_${index}`,
    containerDisk: (index) => `${directories.containerDisks}/disk_${index}.img`,
    volumeDirectory: (volume) => `${claims}/${volume}`,
    claimImage: (volume) => `${claims}/${volume}/disk.img`,
    hostDisk: (volume, path) => `${claims}/${volume}/${baseName(path)}`,
    blockDevice: (volume) => `${directories.devices}/${volume}`,
    hotplugDisk: (volume, block) => `${directories.hotplugDisks}/${volume}${block ? '' : '.img'}`,
    changedBlocks: (volume) => `${directories.bitmaps}/${volume}.qcow2`,
    downwardMetrics: `${privateDir}/downwardapi-disks/vhostmd0`,
    downwardMetricsSocket: `${privateDir}/downwardmetrics-channel/downwardmetrics.sock`,
    noCloudIso: (namespace, name) => `${cloudInit}/${namespace}/${name}/noCloud.iso`,
    configDriveIso: (namespace, name) => `${cloudInit}/${namespace}/${name}/configdrive.iso`,
    cloudInitSecret: (volume) => `${privateDir}/secret/${volume}`,
    accessCredential: (secret) => `${privateDir}/secret/${secret}-access-cred`,
    kernelFile: (path) => `${directories.containerDisks}/kernel-boot/${baseName(path)}`,
    configDisk: (kind, name) => {
      const [source, isos] = CONFIG_DISKS[kind];
      if (kind === 'serviceAccount')
        return { source: SERVICE_ACCOUNT_DIR, iso: `${privateDir}/${isos}/service-account.iso` };
      return { source: `${privateDir}/${source}/${name}`, iso: `${privateDir}/${isos}/${name}.iso` };
    },
  };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
