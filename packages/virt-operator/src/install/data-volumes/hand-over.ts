/**
 * CDI comes to a cluster whose DataVolumes were ours. The definitions lose our mark and stay as they are: CDI's operator
 * writes its own over them, and no DataVolume goes, nor a claim with it. What filled them is removed like everything
 * else that is not wanted any more.
 */
import type { KubernetesObject } from '@podvisor/api';
import type { KubeClient } from '@podvisor/kube';
import { nameOf, unmarked } from '../ownership.ts';
import { resourceOf } from '../resource-of.ts';
import { DATA_VOLUME_CRD } from './choice.ts';
import { dataVolumeDefinitions } from './definitions.ts';

/** Those of the definitions that carry our mark, that of DataVolumes last: as long as it is ours, this is not done. Pure. */
export function toHandOver(live: ReadonlyMap<string, KubernetesObject>): readonly KubernetesObject[] {
  return dataVolumeDefinitions()
    .map((definition) => live.get(nameOf(definition)))
    .filter((definition) => definition !== undefined)
    .toSorted((a, b) => Number(isOfDataVolumes(a)) - Number(isOfDataVolumes(b)));
}

const isOfDataVolumes = ({ metadata }: KubernetesObject): boolean => metadata?.name === DATA_VOLUME_CRD;

/** One after the other. */
export async function handOver(
  client: Pick<KubeClient, 'patch'>,
  definitions: readonly KubernetesObject[],
  signal: AbortSignal,
): Promise<void> {
  for (const definition of definitions) {
    const key = { name: definition.metadata?.name ?? '' };
    await client.patch(resourceOf(definition), key, { type: 'merge', body: unmarked() }, signal);
  }
}
