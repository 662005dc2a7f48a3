/** The queue of volumes to plug in a VM's status (the older way of hotplug), laid over a spec. Pure. */
import type { Disk, VMISpec, Volume, VolumeRequest } from '../types/index.ts';

/** Volumes and the disks that show them. */
export interface PluggedDisks {
  readonly volumes: readonly Volume[];
  readonly disks: readonly Disk[];
}

/** Volumes and disks of a spec after all `requests`, in their order. */
export function plugRequested(spec: VMISpec, requests: readonly VolumeRequest[]): PluggedDisks {
  const { domain, volumes = [] } = spec;
  return requests.reduce<PluggedDisks>(applyRequest, { volumes, disks: domain.devices.disks ?? [] });
}

function applyRequest(
  { disks, volumes }: PluggedDisks,
  { addVolumeOptions: add, removeVolumeOptions: remove }: VolumeRequest,
): PluggedDisks {
  const name = add?.name ?? remove?.name;
  const others = {
    volumes: volumes.filter((volume) => volume.name !== name),
    disks: disks.filter((disk) => disk.name !== name),
  };
  if (add === undefined) return remove === undefined ? { disks, volumes } : others;
  if (volumes.some((volume) => volume.name === name)) return { disks, volumes };
  return {
    volumes: [...volumes, { name: add.name, ...add.volumeSource }],
    disks: [...others.disks, { ...add.disk, name: add.name }],
  };
}
