/**
 * SCSI persistent reservations are held by a node, not by a VM: two VMs on one node that share a reserved LUN would
 * both be its holder. So their Pods carry a label for each such claim and keep away from nodes where it is.
 */
import type { PodAffinityTerm, VirtualMachineInstance } from '@podvisor/api';
import type { LauncherPodOptions } from '../options.ts';

const PREFIX = 'pr.kubevirt.io/';

/** A label for each claim whose LUN the VM may reserve; claims of unknown identity have none. */
export function reservationLabels(
  { spec }: VirtualMachineInstance,
  { claims }: LauncherPodOptions,
): Readonly<Record<string, string>> {
  const reserved = (spec.domain.devices.disks ?? []).filter(({ lun }) => lun?.reservation);
  const uids = reserved.flatMap(({ name }) => {
    const volume = spec.volumes?.find((candidate) => candidate.name === name);
    const claim = volume?.persistentVolumeClaim?.claimName ?? volume?.dataVolume?.name;
    return claims?.[claim ?? '']?.uid ?? [];
  });
  return Object.fromEntries(uids.map((uid) => [`${PREFIX}${uid}`, '']));
}

/** Nodes with a Pod of one of these labels are out. */
export function reservationTerms(labels: Readonly<Record<string, string>>): readonly PodAffinityTerm[] {
  return Object.keys(labels).map((key) => ({
    labelSelector: { matchExpressions: [{ key, operator: 'Exists' }] },
    topologyKey: 'kubernetes.io/hostname',
  }));
}
