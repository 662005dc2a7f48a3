/** What our components may change in the spec of a running VMI. */
import { deepEqual, parseQuantity } from '@podvisor/base';
import type { ClusterConfig } from '../../../config/cluster-config.ts';
import { isGateEnabled } from '../../../config/cluster-config.ts';
import type { Disk, VirtualMachineInstance, Volume } from '../../../types/index.ts';
import { type Cause, invalid, runRules } from '../../rule.ts';
import { hotplugDiskProblem } from '../../vm/volume-requests.ts';
import { utilityVolumeRules } from './utility-volumes.ts';

/** What speaks against a changed spec: the first problem, or all those of its utility volumes. */
export function hotplugCauses(
  vmi: VirtualMachineInstance,
  old: VirtualMachineInstance,
  config: ClusterConfig,
): readonly Cause[] {
  const { cpu, memory } = vmi.spec.domain;
  if ((cpu?.maxSockets ?? 0) !== (old.spec.domain.cpu?.maxSockets ?? 0))
    return [invalid('', 'CPU topology maxSockets changed')];
  const maxGuest = memory?.maxGuest;
  const oldMaxGuest = old.spec.domain.memory?.maxGuest;
  if (
    maxGuest !== undefined &&
    oldMaxGuest !== undefined &&
    parseQuantity(maxGuest).compare(parseQuantity(oldMaxGuest)) !== 0
  )
    return [invalid('', 'Memory maxGuest changed')];
  const utility = runRules(utilityVolumeRules, vmi.spec, { config, path: 'spec' });
  if (utility.length > 0) return utility;
  const problem =
    utilityProblem(vmi, old) ??
    countProblem(vmi, config) ??
    permanentProblem(vmi, old) ??
    hotplugVolumeProblem(vmi, old);
  return problem === undefined ? [] : [problem];
}

function countProblem(vmi: VirtualMachineInstance, config: ClusterConfig): Cause | undefined {
  const { disks = [], filesystems = [] } = vmi.spec.domain.devices;
  const names = new Set(
    (vmi.spec.volumes ?? []).filter((volume) => !volume.memoryDump).map((volume) => volume.name),
  );
  const emptyDrives = isGateEnabled(config, 'DeclarativeHotplugVolumes')
    ? disks.filter((disk) => disk.cdrom && !names.has(disk.name)).length
    : 0;
  const needed = filesystems.length + disks.length - emptyDrives;
  if (needed === names.size) return undefined;
  return invalid('', `mismatch between volumes declared (${names.size}) and required (${needed})`);
}

function permanentProblem(vmi: VirtualMachineInstance, old: VirtualMachineInstance): Cause | undefined {
  const before = volumesOf(old, old, 'permanent');
  const after = volumesOf(vmi, old, 'permanent');
  if (before.size !== after.size) return invalid('', 'Number of permanent volumes has changed');
  for (const [name, volume] of after) {
    const earlier = before.get(name);
    if (!earlier) return invalid('', `permanent volume ${name}, not found`);
    if (isMigrated(name, vmi)) continue;
    if (!deepEqual(volume, earlier)) return invalid('', `permanent volume ${name}, changed`);
    if (!deepEqual(diskOf(name, vmi), diskOf(name, old)))
      return invalid('', `permanent disk ${name}, changed`);
  }
  return undefined;
}

function hotplugVolumeProblem(vmi: VirtualMachineInstance, old: VirtualMachineInstance): Cause | undefined {
  const before = volumesOf(old, old, 'hotplug');
  for (const [name, volume] of volumesOf(vmi, old, 'hotplug')) {
    const earlier = before.get(name);
    const disk = diskOf(name, vmi);
    if (earlier) {
      if (!deepEqual(volume, earlier) && !isMigrated(name, vmi))
        return invalid('', `hotplug volume ${name}, changed`);
      if (volume.memoryDump) continue;
      if (!disk) return invalid('', `volume ${name} doesn't have a matching disk`);
      if (!deepEqual(disk, diskOf(name, old))) return invalid('', `hotplug disk ${name}, changed`);
      continue;
    }
    if (!volume.dataVolume && !volume.persistentVolumeClaim && !volume.memoryDump)
      return invalid('', `volume ${name} is not a PVC or DataVolume`);
    if (volume.memoryDump) continue;
    if (!disk) return invalid('', `disk ${name} does not exist`);
    const problem = diskOf(name, old)
      ? undefined
      : hotplugDiskProblem(disk, name, 'Hotplug configuration', '');
    if (problem) return problem;
  }
  return undefined;
}

/** Utility volumes come and go while the guest runs, and do not change meanwhile. */
function utilityProblem(vmi: VirtualMachineInstance, old: VirtualMachineInstance): Cause | undefined {
  const volumes = vmi.spec.utilityVolumes ?? [];
  const permanent = volumes.find(({ name }) =>
    old.status?.volumeStatus?.some((status) => status.name === name && !status.hotplugVolume),
  );
  if (permanent)
    return invalid(
      '',
      `utility volume ${permanent.name} cannot be a permanent volume, utility volumes must always be hotplug`,
    );
  const changed = volumes.find((volume) => {
    const before = old.spec.utilityVolumes?.find(({ name }) => name === volume.name);
    return before !== undefined && !deepEqual(volume, before);
  });
  return changed && invalid('', `utility volume ${changed.name} has changed`);
}

/** A volume is permanent when the status knows it and not as hotplugged. */
function volumesOf(
  vmi: VirtualMachineInstance,
  old: VirtualMachineInstance,
  kind: 'permanent' | 'hotplug',
): Map<string, Volume> {
  const permanent = new Set(
    (old.status?.volumeStatus ?? []).filter((status) => !status.hotplugVolume).map((status) => status.name),
  );
  const wanted = (vmi.spec.volumes ?? []).filter(
    (volume) => permanent.has(volume.name) === (kind === 'permanent'),
  );
  return new Map(wanted.map((volume) => [volume.name, volume]));
}

function diskOf(name: string, vmi: VirtualMachineInstance): Disk | undefined {
  return vmi.spec.domain.devices.disks?.find((disk) => disk.name === name);
}

function isMigrated(name: string, vmi: VirtualMachineInstance): boolean {
  return (vmi.status?.migratedVolumes ?? []).some((volume) => volume.volumeName === name);
}
