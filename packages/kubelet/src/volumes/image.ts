/** image: the content of an image as read-only files; this is how container disks reach a VM. */
import type { PodVolume } from '@podvisor/api';
import { isEmbeddedImage, mountForeign, mountLayers } from '@podvisor/sys';
import { uidOf } from '../pod/types.ts';
import { isMountPoint, makeDirectory, volumeDirectory } from './paths.ts';
import { type MountedVolume, type VolumeContext, VolumeError } from './types.ts';

export async function setUpImage(volume: PodVolume, context: VolumeContext): Promise<MountedVolume> {
  const path = volumeDirectory(context.kubelet, uidOf(context.pod), 'image', volume.name);
  if (isMountPoint(path)) return { kind: 'files', path, readOnly: true };
  const reference = volume.image?.reference ?? '';
  if (isEmbeddedImage(reference))
    throw new VolumeError(
      `image ${reference} has no content of its own; it stands for programs of this node`,
    );
  const image = await context.image(reference, volume.image?.pullPolicy);
  await makeDirectory(path);
  const [only, ...more] = image.layers;
  if (only !== undefined && more.length === 0) mountForeign(only, path);
  else mountLayers(path, image.layers);
  return { kind: 'files', path, readOnly: true };
}
