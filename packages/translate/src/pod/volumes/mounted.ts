/** Volumes together with where they are mounted. */
import type { PodVolume, VolumeMount } from '@podvisor/api';

/** What a group of volumes adds to the Pod and to its compute container. */
export interface Mounted {
  readonly volumes: readonly PodVolume[];
  readonly mounts: readonly VolumeMount[];
  readonly devices?: readonly { readonly name: string; readonly devicePath: string }[];
}

/** No volume at all. */
export const NOTHING: Mounted = { volumes: [], mounts: [] };

/** A volume that is mounted whole and never written. */
export function readOnlyAt(mountPath: string, volume: PodVolume): Mounted {
  return { volumes: [volume], mounts: [{ name: volume.name, mountPath, readOnly: true }] };
}

/** Several groups as one. */
export function joinMounted(...groups: readonly Mounted[]): Mounted {
  return {
    volumes: groups.flatMap(({ volumes }) => volumes),
    mounts: groups.flatMap(({ mounts }) => mounts),
  };
}
