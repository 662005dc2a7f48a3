/**
 * Where every disk of a VM is inside its launcher Pod: pure functions of volume, index and name, so that
 * the Pod's mounts, the domain XML and the code that makes the files agree without asking one another.
 */

/** Directories that the launcher Pod mounts. The defaults are the ones its manifest uses. */
export interface DiskRoots {
  /** emptyDir for overlays and cloud-init images (`--ephemeral-disk-dir`). */
  readonly ephemeralDisks: string;
  /** emptyDir that only the launcher uses. */
  readonly privateDir: string;
  /** emptyDir of libvirt's runtime files. */
  readonly libvirtRuntime: string;
  /** Links to the files found in image volumes (`--container-disk-dir`). */
  readonly containerDisks: string;
  /** One directory per image volume, `disk_<i>`. */
  readonly imageVolumes: string;
  readonly kernelBoot: string;
  readonly hotplugDisks: string;
  readonly devices: string;
}

export const DEFAULT_ROOTS: DiskRoots = {
  ephemeralDisks: '/var/run/kubevirt-ephemeral-disks',
  privateDir: '/var/run/kubevirt-private',
  libvirtRuntime: '/var/run/libvirt',
  containerDisks: '/var/run/kubevirt/container-disks',
  imageVolumes: '/var/run/kubevirt-image-volume',
  kernelBoot: '/var/run/kubevirt-kernel-boot',
  hotplugDisks: '/var/run/kubevirt/hotplug-disks',
  devices: '/dev',
};

/** All paths of a launcher Pod's disks. */
export interface DiskPaths {
  readonly roots: DiskRoots;
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
  /** Disk through which the guest reads facts about its host. */
  readonly downwardMetrics: string;
  noCloudIso(namespace: string, name: string): string;
  configDriveIso(namespace: string, name: string): string;
  /** Directory where the secret of a cloud-init volume is mounted. */
  cloudInitSecret(volume: string): string;
  accessCredential(secret: string): string;
  /** Link to a kernel or initrd inside the kernel boot image. */
  kernelBoot(path: string): string;
  /** Source directory and ISO of a volume that shows Kubernetes data as a disk. */
  configDisk(kind: ConfigDiskKind, name: string): { readonly source: string; readonly iso: string };
}

export type ConfigDiskKind = 'configMap' | 'secret' | 'downwardAPI' | 'serviceAccount' | 'sysprep';

/** Where Kubernetes itself mounts the token of a Pod's service account. */
const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';

const CONFIG_DISKS: Record<ConfigDiskKind, readonly [source: string, isos: string]> = {
  configMap: ['config-map', 'config-map-disks'],
  secret: ['secret', 'secret-disks'],
  downwardAPI: ['downwardapi', 'downwardapi-disks'],
  serviceAccount: ['service-account', 'service-account-disk'],
  sysprep: ['sysprep', 'sysprep-disks'],
};

export function diskPaths(overrides: Partial<DiskRoots> = {}): DiskPaths {
  const roots = { ...DEFAULT_ROOTS, ...overrides };
  const cloudInit = (namespace: string, name: string): string =>
    `${roots.ephemeralDisks}/cloud-init-data/${namespace}/${name}`;
  return {
    roots,
    overlay: (volume) => `${roots.ephemeralDisks}/disk-data/${volume}/disk.qcow2`,
    emptyDisk: (volume) => `${roots.libvirtRuntime}/empty-disks/${volume}.qcow2`,
    imageVolume: (index) => `${roots.imageVolumes}/disk_${index}`,
    containerDisk: (index) => `${roots.containerDisks}/disk_${index}.img`,
    volumeDirectory: (volume) => `${roots.privateDir}/vmi-disks/${volume}`,
    claimImage: (volume) => `${roots.privateDir}/vmi-disks/${volume}/disk.img`,
    hostDisk: (volume, path) => `${roots.privateDir}/vmi-disks/${volume}/${baseName(path)}`,
    blockDevice: (volume) => `${roots.devices}/${volume}`,
    hotplugDisk: (volume, block) => `${roots.hotplugDisks}/${volume}${block ? '' : '.img'}`,
    changedBlocks: (volume) => `${roots.privateDir}/libvirt/qemu/cbt/${volume}.qcow2`,
    downwardMetrics: `${roots.privateDir}/downwardapi-disks/vhostmd0`,
    noCloudIso: (namespace, name) => `${cloudInit(namespace, name)}/noCloud.iso`,
    configDriveIso: (namespace, name) => `${cloudInit(namespace, name)}/configdrive.iso`,
    cloudInitSecret: (volume) => `${roots.privateDir}/secret/${volume}`,
    accessCredential: (secret) => `${roots.privateDir}/secret/${secret}-access-cred`,
    kernelBoot: (path) => `${roots.containerDisks}/kernel-boot/${baseName(path)}`,
    configDisk: (kind, name) => {
      const [source, isos] = CONFIG_DISKS[kind];
      if (kind === 'serviceAccount')
        return { source: SERVICE_ACCOUNT_DIR, iso: `${roots.privateDir}/${isos}/service-account.iso` };
      return {
        source: `${roots.privateDir}/${source}/${name}`,
        iso: `${roots.privateDir}/${isos}/${name}.iso`,
      };
    },
  };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
