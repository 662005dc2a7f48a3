/** Requests to plug or unplug a volume, as the old hotplug queue in the VM's status holds them. */
import { deepEqual } from '@podvisor/base';
import type {
  Disk,
  VirtualMachine,
  VirtualMachineInstance,
  Volume,
  VolumeRequest,
} from '../../types/index.ts';
import { type Cause, invalid } from '../rule.ts';
import { diskTarget } from '../vmi/storage/disks.ts';

const FIELD = 'Status.volumeRequests';

/** The first problem of the requests, or undefined. `vmi` is the running instance, if there is one. */
export function volumeRequestProblem(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
): Cause | undefined {
  const requests = vm.status?.volumeRequests ?? [];
  const seen = new Set<string>();
  for (const request of requests) {
    const { addVolumeOptions: add, removeVolumeOptions: remove } = request;
    if (add && remove)
      return problem(
        'VolumeRequests require either addVolumeOptions or removeVolumeOptions to be set, not both',
      );
    const name = add?.name ?? remove?.name;
    if (name === undefined)
      return problem(
        'VolumeRequests require one of either addVolumeOptions or removeVolumeOptions to be set',
      );
    const verb = add ? 'AddVolume' : 'RemoveVolume';
    // The missing letter is what clients have always seen.
    if (seen.has(`${verb}/${name}`)) return problem(`${verb} request for [${name}] aleady exists`);
    seen.add(`${verb}/${name}`);
    if (add) {
      const conflict = addProblem(request, vm, vmi);
      if (conflict) return conflict;
    }
  }
  return undefined;
}

function addProblem(
  request: VolumeRequest,
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
): Cause | undefined {
  const add = request.addVolumeOptions;
  if (!add) return undefined;
  const badDisk = hotplugDiskProblem(add.disk, add.name, 'AddVolume request', FIELD);
  if (badDisk) return badDisk;
  const wanted: Volume = { name: add.name, ...add.volumeSource };
  const conflicts = (volumes: readonly Volume[] | undefined): boolean =>
    volumes?.some((volume) => volume.name === add.name && !deepEqual(volume, wanted)) === true;
  const prefix = `AddVolume request for [${add.name}] conflicts with an existing volume of the same name on`;
  if (conflicts(vm.spec.template.spec?.volumes)) return problem(`${prefix} the vmi template.`);
  return conflicts(vmi?.spec.volumes) ? problem(`${prefix} currently running vmi`) : undefined;
}

/** The problem with a disk that is to be plugged: scsi or virtio, a LUN scsi only. */
export function hotplugDiskProblem(
  disk: Disk | undefined,
  name: string,
  prefix: string,
  field: string,
): Cause | undefined {
  if (!disk) return invalid(field, `${prefix} for [${name}] requires the disk field to be set.`);
  const target = diskTarget(disk);
  const bus = target?.target.bus ?? '';
  if (target?.kind === 'disk' && bus !== 'scsi' && bus !== 'virtio')
    return invalid(
      field,
      `${prefix} for disk [${name}] requires bus to be 'scsi' or 'virtio'. [${bus}] is not permitted.`,
    );
  if (target?.kind === 'lun' && bus !== 'scsi')
    return invalid(
      field,
      `${prefix} for LUN [${name}] requires bus to be 'scsi'. [${bus}] is not permitted.`,
    );
  if (!target || target.kind === 'cdrom')
    return invalid(field, `${prefix} for [${name}] requires diskDevice of type 'disk' or 'lun' to be used.`);
  if (disk.dedicatedIOThread && bus !== 'virtio')
    return invalid(field, `${prefix} for [${name}] requires virtio bus for IOThreads.`);
  if (disk.bootOrder !== undefined && disk.bootOrder < 1)
    return invalid(
      'spec.domain.devices.disks[1].bootOrder',
      'spec.domain.devices.disks[1] must have a boot order > 0, if supplied',
    );
  return undefined;
}

function problem(message: string): Cause {
  return invalid(FIELD, message);
}
