/**
 * Who waits for what, as indexes: DataSources by the object that they name, DataVolumes that are not filled yet by
 * their DataSource and by their storage class. An event wakes those that it concerns and nobody else.
 */
import type { DataSource, DataVolume } from '@podvisor/api';
import { type Indexers, keyOf } from '@podvisor/kube';

/** Names of the indexes of DataSources: what they name is of this kind. */
export const BY_CLAIM = 'claim';
export const BY_SNAPSHOT = 'snapshot';
export const BY_SOURCE = 'source';
/** Names of the indexes of unfinished DataVolumes. */
export const OPEN_BY_SOURCE = 'openBySource';
export const OPEN_BY_CLASS = 'openByClass';
/** A DataVolume that names no class has the cluster's default, whichever that is. */
export const ANY_CLASS = '';

const named = (
  { metadata }: DataSource,
  target: { readonly namespace?: string; readonly name: string } | undefined,
): readonly string[] =>
  target === undefined ? [] : [`${target.namespace || (metadata.namespace ?? '')}/${target.name}`];

export const dataSourceIndexes: Indexers<DataSource> = {
  [BY_CLAIM]: (object) => named(object, object.spec.source.pvc),
  [BY_SNAPSHOT]: (object) => named(object, object.spec.source.snapshot),
  [BY_SOURCE]: (object) => named(object, object.spec.source.dataSource),
};

const isOpen = ({ status }: DataVolume): boolean => status?.phase !== 'Succeeded';

export const dataVolumeIndexes: Indexers<DataVolume> = {
  [OPEN_BY_SOURCE]: (volume) => {
    const reference = volume.spec.sourceRef;
    if (reference === undefined || !isOpen(volume)) return [];
    return [`${reference.namespace ?? volume.metadata.namespace}/${reference.name}`];
  },
  [OPEN_BY_CLASS]: (volume) => {
    const { pvc, storage } = volume.spec;
    return isOpen(volume) ? [pvc?.storageClassName ?? storage?.storageClassName ?? ANY_CLASS] : [];
  },
};

/** A DataSource and all that lead to it, each once: sources may name one another in a circle. */
export function leadingTo(key: string, namers: (key: string) => readonly DataSource[]): readonly string[] {
  const found = new Set([key]);
  for (const each of found) for (const namer of namers(each)) found.add(keyOf(namer));
  return [...found];
}
