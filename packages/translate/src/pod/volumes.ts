/** Volumes, mounts and block devices of the launcher Pod. */
import type { PodVolume, VirtualMachineInstance, Volume, VolumeMount } from '@podvisor/api';
import { LauncherPodError, type LauncherPodOptions } from './options.ts';
import { mountPaths } from './paths.ts';

/** What a group of volumes adds to the Pod and to its compute container. */
export interface Mounted {
  readonly volumes: readonly PodVolume[];
  readonly mounts: readonly VolumeMount[];
  readonly devices?: readonly { readonly name: string; readonly devicePath: string }[];
}

const NOTHING: Mounted = { volumes: [], mounts: [] };

/** All volumes of the compute container. */
export function podVolumes(vmi: VirtualMachineInstance, options: LauncherPodOptions): Required<Mounted> {
  const groups = [
    always(),
    legacyContainerDisks(options),
    hugepages(vmi),
    ...(vmi.spec.volumes ?? []).map((volume, index) => ofVolume(volume, index, vmi, options)),
    kernelBoot(vmi, options),
    accessCredentials(vmi),
    hooks(vmi),
    hotplug(vmi),
    downwardMetricsChannel(vmi),
    networkInfo(vmi, options),
    state(vmi, options),
  ];
  return {
    volumes: groups.flatMap((group) => group.volumes),
    mounts: groups.flatMap((group) => group.mounts),
    devices: groups.flatMap((group) => group.devices ?? []),
  };
}

function always(): Mounted {
  const { private: privateDir, share, sockets, ephemeralDisks, libvirtRuntime } = mountPaths;
  return {
    volumes: ['private', 'public', 'sockets', 'virt-bin-share-dir', 'libvirt-runtime', 'ephemeral-disks'].map(
      (name) => ({ name, emptyDir: {} }),
    ),
    mounts: [
      { name: 'private', mountPath: privateDir },
      { name: 'public', mountPath: share },
      { name: 'ephemeral-disks', mountPath: ephemeralDisks },
      { name: 'libvirt-runtime', mountPath: libvirtRuntime },
      { name: 'sockets', mountPath: sockets },
    ],
  };
}

/** Where clusters without image volumes expect the directory that others write container disks into. */
function legacyContainerDisks({ config }: LauncherPodOptions): Mounted {
  if (config.gates.has('ImageVolume')) return NOTHING;
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

/** The disk's ISO is made in the Pod from what is mounted, so a volume that nothing shows stays unmounted. */
function isShown(name: string, { spec }: VirtualMachineInstance): boolean {
  const { slicNameRef, msdmNameRef } = spec.domain.firmware?.acpi ?? {};
  const disks = spec.domain.devices.disks ?? [];
  return disks.some((disk) => disk.name === name) || slicNameRef === name || msdmNameRef === name;
}

function ofVolume(
  volume: Volume,
  index: number,
  vmi: VirtualMachineInstance,
  options: LauncherPodOptions,
): Mounted {
  const mounted = sourceOf(volume, index, options);
  const isConfig = volume.configMap ?? volume.secret ?? volume.downwardAPI;
  return isConfig === undefined || isShown(volume.name, vmi) ? mounted : { ...mounted, mounts: [] };
}

function sourceOf(volume: Volume, index: number, options: LauncherPodOptions): Mounted {
  const { name } = volume;
  const privateDir = mountPaths.private;
  if (volume.persistentVolumeClaim !== undefined) {
    const { claimName, hotpluggable, readOnly } = volume.persistentVolumeClaim;
    return hotpluggable ? NOTHING : claim(name, claimName, readOnly, options);
  }
  if (volume.dataVolume !== undefined) {
    return volume.dataVolume.hotpluggable ? NOTHING : claim(name, volume.dataVolume.name, undefined, options);
  }
  if (volume.ephemeral?.persistentVolumeClaim !== undefined) {
    const { claimName, readOnly } = volume.ephemeral.persistentVolumeClaim;
    return claim(name, claimName, readOnly, options);
  }
  if (volume.containerDisk !== undefined) return image(name, index, volume.containerDisk, options);
  if (volume.hostDisk !== undefined) {
    const directory = volume.hostDisk.path.replace(/\/[^/]*$/, '') || '/';
    return {
      volumes: [{ name, hostPath: { path: directory, type: 'DirectoryOrCreate' } }],
      mounts: [{ name, mountPath: `${privateDir}/vmi-disks/${name}` }],
    };
  }
  const cloudInit = volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive;
  if (cloudInit !== undefined) {
    return join(
      secretKeys(name, `${name}-udata`, cloudInit.secretRef?.name, ['userdata', 'userData']),
      secretKeys(name, `${name}-ndata`, cloudInit.networkDataSecretRef?.name, ['networkdata', 'networkData']),
    );
  }
  if (volume.configMap !== undefined) {
    const { name: configMap, optional } = volume.configMap;
    return readOnlyAt(`${privateDir}/config-map/${name}`, {
      name,
      configMap: { name: configMap ?? '', ...(optional === undefined ? {} : { optional }) },
    });
  }
  if (volume.secret !== undefined) {
    const { secretName, optional } = volume.secret;
    return readOnlyAt(`${privateDir}/secret/${name}`, {
      name,
      secret: { secretName: secretName ?? '', ...(optional === undefined ? {} : { optional }) },
    });
  }
  if (volume.downwardAPI !== undefined) {
    const items = volume.downwardAPI.fields ?? [];
    return readOnlyAt(`${privateDir}/downwardapi/${name}`, {
      name,
      downwardAPI: { items: items.map(downwardItem) },
    });
  }
  if (volume.sysprep !== undefined) {
    const { configMap, secret } = volume.sysprep;
    const source =
      secret === undefined
        ? { configMap: { name: configMap?.name ?? '' } }
        : { secret: { secretName: secret.name ?? '' } };
    return readOnlyAt(`${privateDir}/sysprep/${name}`, { name, ...source });
  }
  if (volume.downwardMetrics !== undefined) {
    return {
      volumes: [{ name, emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
      mounts: [{ name, mountPath: `${privateDir}/downwardmetric-disk` }],
    };
  }
  // emptyDisk lives in an emptyDir that is always there; a service account is mounted by Kubernetes itself.
  return NOTHING;
}

function downwardItem(
  field: NonNullable<NonNullable<Volume['downwardAPI']>['fields']>[number],
): NonNullable<NonNullable<PodVolume['downwardAPI']>['items']>[number] {
  const { path, fieldRef, resourceFieldRef, mode } = field;
  return {
    path,
    ...(fieldRef === undefined ? {} : { fieldRef }),
    ...(resourceFieldRef === undefined ? {} : { resourceFieldRef }),
    ...(mode === undefined ? {} : { mode }),
  };
}

/** A PVC: a directory, or a device when it is a block volume. */
function claim(
  name: string,
  claimName: string,
  readOnly: boolean | undefined,
  options: LauncherPodOptions,
): Mounted {
  const facts = options.claims?.[claimName];
  if (facts === undefined) throw new LauncherPodError('missing-claim', `didn't find PVC ${claimName}`);
  const volumes = [{ name, persistentVolumeClaim: { claimName, ...(readOnly ? { readOnly } : {}) } }];
  if (facts.block) return { volumes, mounts: [], devices: [{ name, devicePath: `/dev/${name}` }] };
  return { volumes, mounts: [{ name, mountPath: `${mountPaths.private}/vmi-disks/${name}` }] };
}

function image(
  name: string,
  index: number,
  disk: NonNullable<Volume['containerDisk']>,
  options: LauncherPodOptions,
): Mounted {
  return {
    volumes: [{ name, image: imageSource(name, disk.image, disk.imagePullPolicy, options) }],
    mounts: [{ name, mountPath: `${mountPaths.imageVolumes}/disk_${index}`, readOnly: true }],
  };
}

/** A migration target runs the very image of its source. */
function imageSource(
  name: string,
  reference: string,
  pullPolicy: string | undefined,
  { migrationTarget }: LauncherPodOptions,
): NonNullable<PodVolume['image']> {
  return {
    reference: migrationTarget?.imageIds?.[name] ?? reference,
    ...(isPullPolicy(pullPolicy) ? { pullPolicy } : {}),
  };
}

function isPullPolicy(text: string | undefined): text is 'Always' | 'IfNotPresent' | 'Never' {
  return text === 'Always' || text === 'IfNotPresent' || text === 'Never';
}

function kernelBoot({ spec }: VirtualMachineInstance, options: LauncherPodOptions): Mounted {
  const container = spec.domain.firmware?.kernelBoot?.container;
  if (container === undefined) return NOTHING;
  const name = 'kernel-boot-volume';
  return {
    volumes: [{ name, image: imageSource(name, container.image, container.imagePullPolicy, options) }],
    mounts: [{ name, mountPath: mountPaths.kernelBoot, readOnly: true }],
  };
}

/** Keys of a cloud-init secret, each mounted alone: both spellings are in use. */
function secretKeys(
  volume: string,
  name: string,
  secretName: string | undefined,
  keys: readonly string[],
): Mounted {
  if (!secretName) return NOTHING;
  return {
    volumes: [{ name, secret: { secretName } }],
    mounts: keys.map((key) => ({
      name,
      mountPath: `${mountPaths.private}/secret/${volume}/${key}`,
      subPath: key,
      readOnly: true,
    })),
  };
}

function accessCredentials({ spec }: VirtualMachineInstance): Mounted {
  const secrets = (spec.accessCredentials ?? []).flatMap(({ sshPublicKey, userPassword }) => {
    const name = (sshPublicKey ?? userPassword)?.source.secret?.secretName;
    return name ? [name] : [];
  });
  return join(
    ...[...new Set(secrets)].map((secretName) => {
      const name = `${secretName}-access-cred`;
      return readOnlyAt(`${mountPaths.private}/secret/${name}`, { name, secret: { secretName } });
    }),
  );
}

function hooks(vmi: VirtualMachineInstance): Mounted {
  if (vmi.metadata?.annotations?.['hooks.kubevirt.io/hookSidecars'] === undefined) return NOTHING;
  const name = 'hook-sidecar-sockets';
  return { volumes: [{ name, emptyDir: {} }], mounts: [{ name, mountPath: mountPaths.hooks }] };
}

function hotplug({ spec }: VirtualMachineInstance): Mounted {
  if (spec.domain.devices.disableHotplug) return NOTHING;
  const name = 'hotplug-disks';
  return {
    volumes: [{ name, emptyDir: {} }],
    mounts: [{ name, mountPath: mountPaths.hotplugDisks, mountPropagation: 'HostToContainer' }],
  };
}

function downwardMetricsChannel({ spec }: VirtualMachineInstance): Mounted {
  if (spec.domain.devices.downwardMetrics === undefined) return NOTHING;
  const name = 'downwardmetrics-channel';
  return {
    volumes: [{ name, emptyDir: {} }],
    mounts: [{ name, mountPath: `${mountPaths.private}/${name}` }],
  };
}

/** PCI addresses of SR-IOV devices reach the launcher as an annotation of its own Pod. */
function networkInfo({ spec }: VirtualMachineInstance, { config }: LauncherPodOptions): Mounted {
  const needed = (spec.domain.devices.interfaces ?? []).some(
    ({ sriov, binding }) =>
      sriov !== undefined ||
      (binding !== undefined && config.networkBindings[binding.name]?.downwardAPI === 'device-info'),
  );
  if (!needed) return NOTHING;
  const name = 'network-info-annotation';
  const fieldPath = "metadata.annotations['kubevirt.io/network-info']";
  return {
    volumes: [{ name, downwardAPI: { items: [{ path: 'network-info', fieldRef: { fieldPath } }] } }],
    mounts: [{ name, mountPath: mountPaths.podInfo }],
  };
}

/** State that outlives the Pod: TPM, UEFI variables, dirty bitmaps. */
function state({ spec }: VirtualMachineInstance, { stateClaim }: LauncherPodOptions): Mounted {
  if (stateClaim === undefined) return NOTHING;
  const name = 'vm-state';
  const at = (mountPath: string, subPath: string): VolumeMount => ({ name, mountPath, subPath });
  const { tpm } = spec.domain.devices;
  return {
    volumes: [{ name, persistentVolumeClaim: { claimName: stateClaim } }],
    mounts: [
      at('/run/kubevirt-private/backend-storage-meta', 'meta'),
      ...(tpm?.persistent
        ? [at('/var/lib/libvirt/swtpm', 'swtpm'), at('/var/lib/swtpm-localca', 'swtpm-localca')]
        : []),
      ...(spec.domain.firmware?.bootloader?.efi?.persistent
        ? [at('/var/lib/libvirt/qemu/nvram', 'nvram')]
        : []),
    ],
  };
}

function readOnlyAt(mountPath: string, volume: PodVolume): Mounted {
  return { volumes: [volume], mounts: [{ name: volume.name, mountPath, readOnly: true }] };
}

function join(...groups: readonly Mounted[]): Mounted {
  return {
    volumes: groups.flatMap(({ volumes }) => volumes),
    mounts: groups.flatMap(({ mounts }) => mounts),
  };
}
