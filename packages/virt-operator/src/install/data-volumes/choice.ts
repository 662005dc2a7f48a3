/** Whether DataVolumes are ours, from what the KubeVirt object asks for and what the cluster has. Pure. */
import type { KubernetesObject, KubeVirt } from '@podvisor/api';
import { isOwned } from '../ownership.ts';
import type { DataVolumes } from '../settings.ts';

/** The gate of the KubeVirt object that asks for them. */
const GATE = 'DataVolumes';
export const DATA_VOLUME_CRD = 'datavolumes.cdi.kubevirt.io';

export interface DataVolumesChoice {
  readonly dataVolumes: DataVolumes;
  /** For the condition `DataVolumes`; absent: nobody asked for them. */
  readonly said?: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };
}

/** `definition`: that of the DataVolume kind, if the cluster has it. */
export function chooseDataVolumes(
  { spec, metadata }: KubeVirt,
  definition: KubernetesObject | undefined,
): DataVolumesChoice {
  const isAsked = spec.configuration?.developerConfiguration?.featureGates?.includes(GATE) === true;
  const isOurs = definition !== undefined && isOwned(definition, metadata?.namespace ?? '');
  if (!isAsked) return { dataVolumes: isOurs ? 'kept' : 'absent' };
  if (definition !== undefined && !isOurs)
    return {
      dataVolumes: 'absent',
      said: {
        status: 'False',
        reason: 'ProvidedByOthers',
        message: `${DATA_VOLUME_CRD} belongs to somebody else (CDI): its DataVolumes are used and ours are not installed; take ${GATE} out of spec.configuration.developerConfiguration.featureGates`,
      },
    };
  return {
    dataVolumes: 'filled',
    said: { status: 'True', reason: 'Installed', message: 'DataVolumes are filled by virt-data-volumes.' },
  };
}
