/** Mount points inside the launcher Pod. The launcher, storage and the domain XML use the same. */
export const mountPaths = {
  private: '/var/run/kubevirt-private',
  share: '/var/run/kubevirt',
  sockets: '/var/run/kubevirt/sockets',
  ephemeralDisks: '/var/run/kubevirt-ephemeral-disks',
  libvirtRuntime: '/var/run/libvirt',
  containerDisks: '/var/run/kubevirt/container-disks',
  hotplugDisks: '/var/run/kubevirt/hotplug-disks/',
  /** Image volumes are at `<imageVolumes>/disk_<index of the volume>`. */
  imageVolumes: '/var/run/kubevirt-image-volume',
  kernelBoot: '/var/run/kubevirt-kernel-boot',
  hooks: '/var/run/kubevirt-hooks',
  virtiofsSockets: '/var/run/kubevirt/virtiofs-containers',
  podInfo: '/etc/podinfo',
} as const;
