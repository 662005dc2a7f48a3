/**
 * The queue of volumes to plug in a VM's status (the older way of hotplug). A request is carried out by
 * changing the template, and leaves the queue once the template shows it. What a running guest sees of it
 * is the affair of hotplug. Pure.
 */
import { plugRequested, type VirtualMachine, type VolumeRequest } from '@podvisor/api';
import { type JsonPatchOperation, guardedListChange } from '@podvisor/kube';

/** The change of the template that the queue asks for; nothing when it is done. */
export function volumeRequestPatch(vm: VirtualMachine): readonly JsonPatchOperation[] {
  const spec = vm.spec.template?.spec;
  const requests = vm.status?.volumeRequests ?? [];
  if (spec === undefined || requests.length === 0) return [];
  const wanted = plugRequested(spec, requests);
  const root = '/spec/template/spec';
  return [
    ...guardedListChange(`${root}/volumes`, spec.volumes, wanted.volumes),
    ...guardedListChange(`${root}/domain/devices/disks`, spec.domain.devices.disks, wanted.disks),
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
