/** What each volume of the VMI needs in the launcher Pod. */
import { isPullPolicy } from './pull-policy.ts';
import { memberOf } from '@podvisor/base';
import type { PodVolume, VirtualMachineInstance, Volume } from '@podvisor/api';
import { usesImageVolumes } from './container-disks.ts';
import { joinMounted, type Mounted, NOTHING, readOnlyAt } from './mounted.ts';
import { LauncherPodError, type LauncherPodOptions } from '../options.ts';
import { mountPaths } from '../mount-paths.ts';

/** The directory of a disk that must exist exists; one that may be made lies in one that may be made. */
const HOST_PATH_TYPES: Readonly<Record<string, string>> = {
  Disk: 'Directory',
  DiskOrCreate: 'DirectoryOrCreate',
};

/** Volume, mount or device of one volume of the VMI. Throws LauncherPodError when its PVC is not known. */
export function mountedVolume(
  volume: Volume,
  index: number,
  vmi: VirtualMachineInstance,
  options: LauncherPodOptions,
): Mounted {
  if (vmi.status?.volumeStatus?.some(({ name, hotplugVolume }) => name === volume.name && hotplugVolume)) {
    return NOTHING;
  }
  const mounted = sourceOf(volume, index, options);
  const isConfig = volume.configMap ?? volume.secret ?? volume.downwardAPI;
  return isConfig === undefined || isShown(volume.name, vmi) ? mounted : { ...mounted, mounts: [] };
}

/** The disk's ISO is made in the Pod from what is mounted, so a volume that nothing shows stays unmounted. */
function isShown(name: string, { spec }: VirtualMachineInstance): boolean {
  const { slicNameRef, msdmNameRef } = spec.domain.firmware?.acpi ?? {};
  const disks = spec.domain.devices.disks ?? [];
  return disks.some((disk) => disk.name === name) || slicNameRef === name || msdmNameRef === name;
}

function directoryOf(file: string): string {
  return file.includes('/') ? file.replace(/\/[^/]*$/, '') || '/' : '.';
}

function sourceOf(volume: Volume, index: number, options: LauncherPodOptions): Mounted {
  const { name } = volume;
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
  if (volume.containerDisk !== undefined)
    return usesImageVolumes(options) ? image(name, index, volume.containerDisk, options) : NOTHING;
  if (volume.hostDisk !== undefined) {
    const directory = directoryOf(volume.hostDisk.path);
    return {
      volumes: [
        { name, hostPath: { path: directory, type: memberOf(HOST_PATH_TYPES, volume.hostDisk.type) ?? '' } },
      ],
      mounts: [{ name, mountPath: mountPaths.volumeDirectory(name) }],
    };
  }
  const cloudInit = volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive;
  if (cloudInit !== undefined) {
    return joinMounted(
      secretKeys(name, `${name}-udata`, cloudInit.secretRef?.name, ['userdata', 'userData']),
      secretKeys(name, `${name}-ndata`, cloudInit.networkDataSecretRef?.name, ['networkdata', 'networkData']),
    );
  }
  if (volume.configMap !== undefined) {
    const { name: configMap, optional } = volume.configMap;
    return readOnlyAt(mountPaths.configDisk('configMap', name).source, {
      name,
      configMap: { name: configMap ?? '', ...(optional === undefined ? {} : { optional }) },
    });
  }
  if (volume.secret !== undefined) {
    const { secretName, optional } = volume.secret;
    return readOnlyAt(mountPaths.configDisk('secret', name).source, {
      name,
      secret: { secretName: secretName ?? '', ...(optional === undefined ? {} : { optional }) },
    });
  }
  if (volume.downwardAPI !== undefined) {
    const items = volume.downwardAPI.fields ?? [];
    return readOnlyAt(mountPaths.configDisk('downwardAPI', name).source, {
      name,
      downwardAPI: { items: items.map(downwardItem) },
    });
  }
  if (volume.sysprep !== undefined) {
    const { configMap, secret } = volume.sysprep;
    if (configMap === undefined && secret === undefined) {
      throw new LauncherPodError(
        'invalid',
        'Sysprep must have Secret or ConfigMap reference set {<nil> <nil>}',
      );
    }
    const source =
      secret === undefined
        ? { configMap: { name: configMap?.name ?? '' } }
        : { secret: { secretName: secret.name ?? '' } };
    return readOnlyAt(mountPaths.configDisk('sysprep', name).source, { name, ...source });
  }
  if (volume.downwardMetrics !== undefined) {
    return {
      volumes: [{ name, emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
      mounts: [{ name, mountPath: `${mountPaths.privateDir}/downwardmetric-disk` }],
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
  if (facts.block)
    return { volumes, mounts: [], devices: [{ name, devicePath: mountPaths.blockDevice(name) }] };
  return { volumes, mounts: [{ name, mountPath: mountPaths.volumeDirectory(name) }] };
}

function image(
  name: string,
  index: number,
  disk: NonNullable<Volume['containerDisk']>,
  options: LauncherPodOptions,
): Mounted {
  return {
    volumes: [{ name, image: imageSource(name, disk.image, disk.imagePullPolicy, options) }],
    mounts: [{ name, mountPath: mountPaths.imageVolume(index), readOnly: true }],
  };
}

/** A migration target runs the very image of its source. */
export function imageSource(
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
      mountPath: `${mountPaths.cloudInitSecret(volume)}/${key}`,
      subPath: key,
      readOnly: true,
    })),
  };
}
