/** persistentVolumeClaim: a local directory bound into the Pod, or a file shown as a block device. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PersistentVolume, PersistentVolumeClaim, PodVolume } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import {
  attachLoopDevice,
  detachLoopDevices,
  type InstancePaths,
  mountBind,
  mountFilesystemImage,
} from '@podvisor/sys';
import { uidOf } from '../pod/types.ts';
import { ownTree } from './ownership.ts';
import { isMountPoint, makeDirectory, volumeDirectory } from './paths.ts';
import { type MountedVolume, type VolumeContext, VolumeError } from './types.ts';

export async function setUpPersistent(volume: PodVolume, context: VolumeContext): Promise<MountedVolume> {
  const { claimName, readOnly = false } = volume.persistentVolumeClaim ?? { claimName: '' };
  const { claim, persistent } = await boundVolume(claimName, context);
  const source = persistent.spec.local?.path ?? persistent.spec.hostPath?.path;
  if (source === undefined) {
    throw new VolumeError(
      `volume ${persistent.metadata.name}: only local and hostPath volumes are supported by this node`,
    );
  }
  if (!existsSync(source))
    throw new VolumeError(`volume ${persistent.metadata.name}: ${source} does not exist`);
  // The file system with the claim's size, after a reboot of the machine.
  if (source.startsWith(`${context.kubelet.paths.volumes}/`)) await mountFilesystemImage(source);
  const isExclusive = claim.spec.accessModes?.includes('ReadWriteOncePod') === true;
  if (claim.spec.volumeMode === 'Block') return await blockDevice(source, context, isExclusive);
  if (isExclusive) refuseSecond(claimName, await usersOfFiles(persistent, context), context);
  const path = volumeDirectory(
    context.kubelet,
    uidOf(context.pod),
    'local-volume',
    persistent.metadata.name ?? '',
  );
  await makeDirectory(path);
  if (!isMountPoint(path)) {
    if (!readOnly) await ownTree(source, context.pod);
    mountBind(source, path, readOnly);
  }
  return { kind: 'files', path, readOnly };
}

async function boundVolume(
  claimName: string,
  { client, pod }: VolumeContext,
): Promise<{ claim: PersistentVolumeClaim; persistent: PersistentVolume }> {
  const claim = await client.find(resources.persistentVolumeClaims, {
    namespace: pod.metadata.namespace,
    name: claimName,
  });
  if (claim === undefined) throw new VolumeError(`persistentvolumeclaim "${claimName}" not found`);
  const { volumeName } = claim.spec;
  if (claim.status?.phase !== 'Bound' || volumeName === undefined || volumeName === '') {
    throw new VolumeError(`persistentvolumeclaim "${claimName}" is not bound`);
  }
  const persistent = await client.find(resources.persistentVolumes, { name: volumeName });
  if (persistent === undefined) throw new VolumeError(`persistentvolume "${volumeName}" not found`);
  // The claim names its volume, and whoever may write claims may name any: the volume must name the claim.
  const { namespace, name, uid } = persistent.spec.claimRef ?? {};
  const isMutual = namespace === pod.metadata.namespace && name === claimName && uid === claim.metadata.uid;
  if (!isMutual) throw new VolumeError(`persistentvolume "${volumeName}" is bound to another claim`);
  return { claim, persistent };
}

/** The scheduler looks at this too, but a Pod may come to a node without it. */
function refuseSecond(what: string, users: readonly string[], { pod }: VolumeContext): void {
  if (users.some((uid) => uid !== uidOf(pod)))
    throw new VolumeError(
      `${what}: volume uses the ReadWriteOncePod access mode and is already in use by another pod`,
    );
}

/** UIDs of the Pods of this node that have the volume. */
async function usersOfFiles({ metadata }: PersistentVolume, { kubelet }: VolumeContext): Promise<string[]> {
  const uids = await readdir(join(kubelet.kubeletDir, 'pods'));
  return uids.filter((uid) =>
    isMountPoint(volumeDirectory(kubelet, uid, 'local-volume', metadata.name ?? '')),
  );
}

async function blockDevice(
  source: string,
  context: VolumeContext,
  isExclusive: boolean,
): Promise<MountedVolume> {
  const { kubelet, pod } = context;
  const stats = await stat(source);
  if (stats.isBlockDevice()) return { kind: 'device', path: source };
  const file = stats.isDirectory() ? join(source, 'disk.img') : source;
  if (!existsSync(file)) throw new VolumeError(`${file} does not exist`);
  const users = usersDirectory(kubelet.paths, file);
  await mkdir(users, { recursive: true });
  if (isExclusive) refuseSecond(file, await readdir(users), context);
  await writeFile(join(users, uidOf(pod)), file);
  return { kind: 'device', path: await attachLoopDevice(file) };
}

/** Who uses the loop device of a file: one note per Pod, holding the path, over all nodes of the machine. */
function usersDirectory(paths: InstancePaths, file: string): string {
  return join(paths.run, 'loop', createHash('sha256').update(file).digest('hex').slice(0, 32));
}

/** Gives back the loop devices that only this Pod used. */
export async function releaseBlockDevices(paths: InstancePaths, uid: string): Promise<void> {
  const root = join(paths.run, 'loop');
  if (!existsSync(root)) return;
  for (const id of await readdir(root)) {
    const note = join(root, id, uid);
    if (!existsSync(note)) continue;
    const file = await readFile(note, 'utf8');
    await rm(note);
    if ((await readdir(join(root, id))).length > 0) continue;
    await detachLoopDevices(file);
    await rm(join(root, id), { recursive: true });
  }
}
