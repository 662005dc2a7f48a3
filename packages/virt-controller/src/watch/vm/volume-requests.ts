/**
 * The queue of volumes to plug in a VM's status (the older way of hotplug). A request is carried out by
 * changing the template, and leaves the queue once the template shows it. What a running guest sees of it
 * is the affair of hotplug. Pure.
 */
import type { Disk, VirtualMachine, VMISpec, VolumeRequest, Volume } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { JsonPatchOperation } from '@podvisor/kube';

/** The change of the template that the queue asks for; nothing when it is done. */
export function volumeRequestPatch(vm: VirtualMachine): readonly JsonPatchOperation[] {
  const spec = vm.spec.template?.spec;
  const requests = vm.status?.volumeRequests ?? [];
  if (spec === undefined || requests.length === 0) return [];
  const wanted = requests.reduce(applyRequest, disksOf(spec));
  const root = '/spec/template/spec';
  return [
    ...replace(`${root}/volumes`, spec.volumes, wanted.volumes),
    ...replace(`${root}/domain/devices/disks`, spec.domain.devices.disks, wanted.disks),
  ];
}

/** Requests that the template does not show yet. */
export function openVolumeRequests(vm: VirtualMachine): readonly VolumeRequest[] {
  const volumes = vm.spec.template?.spec?.volumes ?? [];
  const has = (name: string): boolean => volumes.some((volume) => volume.name === name);
  return (vm.status?.volumeRequests ?? []).filter(({ addVolumeOptions, removeVolumeOptions }) => {
    if (addVolumeOptions !== undefined) return !has(addVolumeOptions.name);
    return removeVolumeOptions !== undefined && has(removeVolumeOptions.name);
  });
}

interface Disks {
  readonly volumes: readonly Volume[];
  readonly disks: readonly Disk[];
}

function disksOf({ domain, volumes = [] }: VMISpec): Disks {
  return { volumes, disks: domain.devices.disks ?? [] };
}

function applyRequest(
  { disks, volumes }: Disks,
  { addVolumeOptions: add, removeVolumeOptions: remove }: VolumeRequest,
): Disks {
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

function replace(path: string, old: unknown, value: readonly unknown[]): readonly JsonPatchOperation[] {
  if (deepEqual(old ?? [], value)) return [];
  const test: readonly JsonPatchOperation[] = old === undefined ? [] : [{ op: 'test', path, value: old }];
  return [...test, { op: 'add', path, value }];
}
