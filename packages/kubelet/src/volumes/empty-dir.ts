/** emptyDir: a directory, or memory, that lives as long as the Pod. */
import type { PodVolume } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { makeShared, mountHugetlbfs, mountTmpfs } from '@podvisor/sys';
import { allContainers, uidOf } from '../pod/types.ts';
import { fsGroupOf, ownDirectory } from './ownership.ts';
import { isMountPoint, makeDirectory, volumeDirectory } from './paths.ts';
import { type MountedVolume, type VolumeContext, VolumeError } from './types.ts';

export async function setUpEmptyDir(volume: PodVolume, context: VolumeContext): Promise<MountedVolume> {
  const { pod, kubelet } = context;
  const path = volumeDirectory(kubelet, uidOf(pod), 'empty-dir', volume.name);
  const { medium = '', sizeLimit } = volume.emptyDir ?? {};
  const isNew = await makeDirectory(path);
  if (medium === 'Memory') {
    if (!isMountPoint(path)) mountTmpfs(path, tmpfsOptions(sizeLimit, fsGroupOf(pod)));
  } else if (medium.startsWith('HugePages')) {
    if (!isMountPoint(path)) mountHugetlbfs(path, hugePageBytes(volume.name, medium, pod), fsGroupOf(pod));
  } else if (isNew) {
    await ownDirectory(path, 0o777, fsGroupOf(pod));
  }
  if (isPropagated(volume.name, context) && !isMountPoint(path)) makeShared(path);
  return { kind: 'files', path, readOnly: false };
}

function tmpfsOptions(sizeLimit: string | number | undefined, fsGroup: number | undefined): string {
  const size = sizeLimit === undefined ? [] : [`size=${parseQuantity(sizeLimit).value()}`];
  return ['mode=1777', ...size, ...(fsGroup === undefined ? [] : [`gid=${fsGroup}`])].join(',');
}

/** Some container wants to see what is mounted into the volume later. */
function isPropagated(name: string, { pod }: VolumeContext): boolean {
  return allContainers(pod).some((container) =>
    container.volumeMounts?.some((m) => m.name === name && (m.mountPropagation ?? 'None') !== 'None'),
  );
}

/** `HugePages-2Mi` names the size; `HugePages` alone means the one size that the Pod asks for. */
function hugePageBytes(name: string, medium: string, pod: VolumeContext['pod']): number {
  const named = /^HugePages-(.+)$/.exec(medium)?.[1];
  if (named !== undefined) return parseQuantity(named).value();
  const asked = allContainers(pod).flatMap((c) =>
    Object.keys(c.resources?.limits ?? c.resources?.requests ?? {}),
  );
  const sizes = [...new Set(asked.filter((key) => key.startsWith('hugepages-')))];
  const [only] = sizes;
  if (only === undefined || sizes.length > 1) {
    throw new VolumeError(
      `volume ${name}: medium HugePages needs exactly one huge page size among the Pod's limits`,
    );
  }
  return parseQuantity(only.slice('hugepages-'.length)).value();
}
