/** Volumes, mounts and block devices of the launcher Pod. */
import { memberOf } from '@podvisor/base';
import {
  HIBERNATION_VOLUME,
  hibernatedStateOf,
  isGateEnabled,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { usesImageVolumes } from './container-disks.ts';
import { joinMounted, type Mounted, NOTHING, readOnlyAt } from './mounted.ts';
import { NETWORK_INFO, NETWORK_INFO_FILE } from '../networks/network-info.ts';
import type { LauncherPodOptions } from '../options.ts';
import { mountPaths } from '../mount-paths.ts';
import { stateVolumes } from './state-volumes.ts';
import { virtiofsSockets } from './virtiofs.ts';
import { imageSource, mountedVolume } from './vmi-volumes.ts';

/** All volumes of the compute container. */
export function podVolumes(vmi: VirtualMachineInstance, options: LauncherPodOptions): Required<Mounted> {
  const groups = [
    always(),
    pluginSockets(options),
    legacyContainerDisks(options),
    hugepages(vmi),
    ...(vmi.spec.volumes ?? []).map((volume, index) => mountedVolume(volume, index, vmi, options)),
    kernelBoot(vmi, options),
    accessCredentials(vmi),
    hotplug(vmi),
    networkInfo(vmi, options),
    virtiofsSockets(vmi),
    stateVolumes(vmi, options),
    hibernatedState(vmi),
  ];
  return {
    volumes: groups.flatMap((group) => group.volumes),
    mounts: groups.flatMap((group) => group.mounts),
    devices: groups.flatMap((group) => group.devices ?? []),
  };
}

function always(): Mounted {
  const { privateDir, shareDir, sockets, ephemeralDir, libvirtRuntime } = mountPaths;
  return {
    volumes: ['private', 'public', 'sockets', 'virt-bin-share-dir', 'libvirt-runtime', 'ephemeral-disks'].map(
      (name) => ({ name, emptyDir: {} }),
    ),
    mounts: [
      { name: 'private', mountPath: privateDir },
      { name: 'public', mountPath: shareDir },
      { name: 'ephemeral-disks', mountPath: ephemeralDir },
      { name: 'libvirt-runtime', mountPath: libvirtRuntime },
      { name: 'sockets', mountPath: sockets },
    ],
  };
}

/** Where plugins of the node meet those of the launcher, on clusters that have plugins. */
function pluginSockets({ config }: LauncherPodOptions): Mounted {
  if (!isGateEnabled(config, 'Plugins')) return NOTHING;
  const name = 'kubevirt-plugin-sockets';
  return {
    volumes: [{ name, emptyDir: {} }],
    mounts: [{ name, mountPath: '/var/run/kubevirt-plugin' }],
  };
}

/** Where container disks are mounted that containers serve. */
function legacyContainerDisks(options: LauncherPodOptions): Mounted {
  if (usesImageVolumes(options)) return NOTHING;
  const name = 'container-disks';
  return {
    volumes: [{ name, emptyDir: {} }],
    mounts: [{ name, mountPath: mountPaths.containerDisks, mountPropagation: 'HostToContainer' }],
  };
}

function hugepages({ spec }: VirtualMachineInstance): Mounted {
  if (spec.domain.memory?.hugepages === undefined) return NOTHING;
  return {
    volumes: ['hugepages', 'hugetblfs-dir'].map((name) => ({ name, emptyDir: { medium: 'HugePages' } })),
    mounts: [
      { name: 'hugepages', mountPath: '/dev/hugepages' },
      { name: 'hugetblfs-dir', mountPath: '/dev/hugepages/libvirt/qemu' },
    ],
  };
}

function kernelBoot({ spec }: VirtualMachineInstance, options: LauncherPodOptions): Mounted {
  const container = spec.domain.firmware?.kernelBoot?.container;
  if (container === undefined || !usesImageVolumes(options)) return NOTHING;
  const name = 'kernel-boot-volume';
  return {
    volumes: [{ name, image: imageSource(name, container.image, container.imagePullPolicy, options) }],
    mounts: [{ name, mountPath: mountPaths.kernelBoot, readOnly: true }],
  };
}

function accessCredentials({ spec }: VirtualMachineInstance): Mounted {
  const secrets = (spec.accessCredentials ?? []).flatMap(({ sshPublicKey, userPassword }) => {
    const name = (sshPublicKey ?? userPassword)?.source.secret?.secretName;
    return name ? [name] : [];
  });
  return joinMounted(
    ...[...new Set(secrets)].map((secretName) => {
      const name = `${secretName}-access-cred`;
      return readOnlyAt(mountPaths.accessCredential(secretName), { name, secret: { secretName } });
    }),
  );
}

function hotplug({ spec }: VirtualMachineInstance): Mounted {
  if (spec.domain.devices.disableHotplug) return NOTHING;
  const name = 'hotplug-disks';
  return {
    volumes: [{ name, emptyDir: {} }],
    mounts: [{ name, mountPath: `${mountPaths.hotplugDisks}/`, mountPropagation: 'HostToContainer' }],
  };
}

/** The claim with the state that the guest wakes from. */
function hibernatedState(vmi: VirtualMachineInstance): Mounted {
  const state = hibernatedStateOf(vmi);
  if (state === undefined) return NOTHING;
  return {
    volumes: [{ name: HIBERNATION_VOLUME, persistentVolumeClaim: { claimName: state.claimName } }],
    mounts: [{ name: HIBERNATION_VOLUME, mountPath: `${mountPaths.privateDir}/${HIBERNATION_VOLUME}` }],
  };
}

/** PCI addresses of SR-IOV devices reach the launcher as an annotation of its own Pod. */
function networkInfo({ spec }: VirtualMachineInstance, { config }: LauncherPodOptions): Mounted {
  const needed = (spec.domain.devices.interfaces ?? []).some(
    ({ sriov, binding }) =>
      sriov !== undefined ||
      (binding !== undefined &&
        memberOf(config.networkBindings, binding.name)?.downwardAPI === 'device-info'),
  );
  if (!needed) return NOTHING;
  const name = 'network-info-annotation';
  const fieldPath = `metadata.annotations['${NETWORK_INFO}']`;
  return {
    volumes: [{ name, downwardAPI: { items: [{ path: NETWORK_INFO_FILE, fieldRef: { fieldPath } }] } }],
    mounts: [{ name, mountPath: mountPaths.podInfo }],
  };
}
