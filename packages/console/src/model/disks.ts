/** The disks of a VM as the page shows them, and plugging and unplugging them. Pure. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import type { Question } from '../live/access.ts';
import type { Action } from './action.ts';
import { SUBRESOURCES } from './vm-actions.ts';
import { diskActionLabels, disksText } from '../texts/disks.ts';

export interface DiskRow {
  readonly namespace: string;
  /** Of the volume. */
  readonly name: string;
  readonly vm: string;
  /** Where its bytes come from, such as `claim data`. */
  readonly source: string;
  /** The claim with its bytes; empty: none. */
  readonly claim: string;
  /** Device in the guest. */
  readonly device: string;
  readonly size: string;
  readonly state: string;
  readonly isPlugged: boolean;
}

export function disksOf(
  vm: VirtualMachine | undefined,
  vmi: VirtualMachineInstance | undefined,
): readonly DiskRow[] {
  const { namespace = '', name = '' } = (vm ?? vmi)?.metadata ?? {};
  const volumes = vmi?.spec.volumes ?? vm?.spec.template.spec?.volumes ?? [];
  return volumes.map((volume) => {
    const status = vmi?.status?.volumeStatus?.find((s) => s.name === volume.name);
    const claim = status?.persistentVolumeClaimInfo;
    return {
      namespace,
      name: volume.name,
      vm: name,
      source: sourceOf(volume),
      claim: volume.persistentVolumeClaim?.claimName ?? volume.dataVolume?.name ?? '',
      device: status?.target ?? '',
      size: String(claim?.capacity?.['storage'] ?? claim?.requests?.['storage'] ?? ''),
      state: status?.message ?? status?.phase ?? (status === undefined ? '' : 'Ready'),
      isPlugged: status?.hotplugVolume !== undefined,
    };
  });
}

type Volume = NonNullable<VirtualMachineInstance['spec']['volumes']>[number];

function sourceOf(volume: Volume): string {
  if (volume.persistentVolumeClaim !== undefined)
    return disksText.fromClaim(volume.persistentVolumeClaim.claimName);
  if (volume.dataVolume !== undefined) return disksText.fromDataVolume(volume.dataVolume.name);
  if (volume.containerDisk !== undefined) return disksText.fromImage(volume.containerDisk.image);
  return Object.keys(volume).find((key) => key !== 'name') ?? '';
}

const right = (namespace: string): Question => ({
  verb: 'update',
  group: SUBRESOURCES,
  resource: 'virtualmachines',
  subresource: 'removevolume',
  namespace,
});

const pathOf = (namespace: string, vm: string, verb: string): string =>
  `/apis/${SUBRESOURCES}/v1/namespaces/${namespace}/virtualmachines/${vm}/${verb}`;

export const diskActions: readonly Action<DiskRow>[] = [
  {
    id: 'removevolume',
    label: diskActionLabels.unplug,
    isGrave: true,
    fits: ({ isPlugged }) => isPlugged,
    request: ({ namespace, vm, name }) => ({
      method: 'PUT',
      path: pathOf(namespace, vm, 'removevolume'),
      body: JSON.stringify({ name }),
    }),
    right,
    command: ({ namespace, vm, name }) => `virtctl removevolume ${vm} --volume-name=${name} -n ${namespace}`,
  },
];

/** Plugs a claim, `name`, into a VM; it stays when the VM starts anew. */
export function plugAction(vm: string): Action<{ readonly namespace: string; readonly name: string }> {
  return {
    id: 'addvolume',
    label: diskActionLabels.plug,
    isGrave: false,
    fits: ({ name }) => name !== '',
    request: ({ namespace, name }) => ({
      method: 'PUT',
      path: pathOf(namespace, vm, 'addvolume'),
      body: JSON.stringify({
        name,
        disk: { name, disk: { bus: 'scsi' } },
        volumeSource: { persistentVolumeClaim: { claimName: name, hotpluggable: true } },
      }),
    }),
    right: (namespace) => ({ ...right(namespace), subresource: 'addvolume' }),
    command: ({ namespace, name }) =>
      `virtctl addvolume ${vm} --volume-name=${name} --persist -n ${namespace}`,
  };
}
