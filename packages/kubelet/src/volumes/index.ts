/** All volumes of a Pod: set up at once, torn down together. */
import { existsSync } from 'node:fs';
import type { PodVolume } from '@podvisor/api';
import { listMounts, removeTree, unmountBelow } from '@podvisor/sys';
import { type KubeletContext, podDirectory } from '../context.ts';
import { setUpEmptyDir } from './empty-dir.ts';
import { setUpHostPath } from './host-path.ts';
import { setUpImage } from './image.ts';
import { releaseBlockDevices, setUpPersistent } from './persistent.ts';
import { setUpConfigMap, setUpDownwardApi, setUpProjected, setUpSecret } from './projected.ts';
import type { ServiceAccountTokens } from './service-account-token.ts';
import { type MountedVolume, type VolumeContext, VolumeError } from './types.ts';

/** Sets up all volumes of the Pod, in parallel. Idempotent; brings projected content up to date. */
export async function setUpVolumes(
  context: VolumeContext,
  tokens: ServiceAccountTokens,
): Promise<ReadonlyMap<string, MountedVolume>> {
  const volumes = context.pod.spec.volumes ?? [];
  // All are waited for, also when one fails: nothing may still be at work when we are called again.
  const settled = await Promise.allSettled(volumes.map((volume) => setUpVolume(volume, context, tokens)));
  const mounted = new Map<string, MountedVolume>();
  for (const [i, result] of settled.entries()) {
    if (result.status === 'rejected') throw result.reason;
    mounted.set(volumes[i]?.name ?? '', result.value);
  }
  return mounted;
}

async function setUpVolume(
  volume: PodVolume,
  context: VolumeContext,
  tokens: ServiceAccountTokens,
): Promise<MountedVolume> {
  try {
    if (volume.hostPath !== undefined) return await setUpHostPath(volume, context.kubelet);
    if (volume.configMap !== undefined) return await setUpConfigMap(volume, context);
    if (volume.secret !== undefined) return await setUpSecret(volume, context);
    if (volume.projected !== undefined) return await setUpProjected(volume, context, tokens);
    if (volume.downwardAPI !== undefined) return await setUpDownwardApi(volume, context);
    if (volume.persistentVolumeClaim !== undefined) return await setUpPersistent(volume, context);
    if (volume.image !== undefined) return await setUpImage(volume, context);
    // Kubernetes: a volume without a source is an emptyDir.
    if (volume.emptyDir !== undefined || Object.keys(volume).length === 1)
      return await setUpEmptyDir(volume, context);
  } catch (error) {
    if (error instanceof VolumeError) throw new VolumeError(`volume "${volume.name}": ${error.message}`);
    throw error;
  }
  const kind = Object.keys(volume).find((key) => key !== 'name');
  throw new VolumeError(`volume "${volume.name}": ${kind} volumes are not supported by this node`);
}

/** True when a volume shows API objects, whose changes must reach a running Pod. */
export function isUpdatable(volume: PodVolume): boolean {
  return [volume.configMap, volume.secret, volume.projected, volume.downwardAPI].some((s) => s !== undefined);
}

/** Unmounts and removes everything that the Pod had; refuses to remove while anything is mounted there. */
export async function tearDownVolumes(context: KubeletContext, uid: string): Promise<void> {
  const directory = podDirectory(context, uid);
  if (existsSync(directory)) {
    await unmountBelow(directory);
    const left = listMounts().find((mount) => mount.mountPoint.startsWith(`${directory}/`));
    if (left !== undefined) throw new VolumeError(`${left.mountPoint} is still mounted`);
    await removeTree(directory);
  }
  await releaseBlockDevices(context.paths, uid);
}
