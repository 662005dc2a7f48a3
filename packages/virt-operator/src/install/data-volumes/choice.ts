/** Whether DataVolumes are ours, from what the KubeVirt object asks for and what the cluster has. Pure. */
import type { KubernetesObject, KubeVirt } from '@podvisor/api';
import { isOwned } from '../ownership.ts';
import type { DataVolumes } from '../settings.ts';

/** The gate of the KubeVirt object that asks for them. */
const GATE = 'DataVolumes';
export const DATA_VOLUME_CRD = 'datavolumes.cdi.kubevirt.io';
/** The kind by which CDI itself is installed: whoever brings it brings the others, too. */
export const CDI_CRD = 'cdis.cdi.kubevirt.io';

/** What the cluster has of the definitions. */
export interface FoundDefinitions {
  /** That of the DataVolume kind. */
  readonly dataVolumes?: KubernetesObject | undefined;
  /** That of CDI's own kind. */
  readonly cdi?: KubernetesObject | undefined;
}

export interface DataVolumesChoice {
  readonly dataVolumes: DataVolumes;
  /** The definitions are ours, and CDI has come: they become its own, with all DataVolumes. */
  readonly handOver?: true;
  /** For the condition `DataVolumes`; absent: nobody asked for them. */
  readonly said?: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };
}

export function chooseDataVolumes(
  { spec, metadata }: KubeVirt,
  { dataVolumes: definition, cdi }: FoundDefinitions,
): DataVolumesChoice {
  const isAsked = spec.configuration?.developerConfiguration?.featureGates?.includes(GATE) === true;
  const isOurs = definition !== undefined && isOwned(definition, metadata?.namespace ?? '');
  const isOfOthers = cdi !== undefined || (definition !== undefined && !isOurs);
  if (!isOfOthers && !isAsked) return { dataVolumes: isOurs ? 'kept' : 'absent' };
  if (isOfOthers)
    return {
      dataVolumes: 'absent',
      ...(isOurs ? { handOver: true } : {}),
      ...(isAsked ? { said: PROVIDED_BY_OTHERS } : {}),
    };
  return {
    dataVolumes: 'filled',
    said: { status: 'True', reason: 'Installed', message: 'DataVolumes are filled by virt-data-volumes.' },
  };
}

const PROVIDED_BY_OTHERS: DataVolumesChoice['said'] = {
  status: 'False',
  reason: 'ProvidedByOthers',
  message: `${DATA_VOLUME_CRD} belongs to somebody else (CDI): its DataVolumes are used and ours are not installed; take ${GATE} out of spec.configuration.developerConfiguration.featureGates`,
};
