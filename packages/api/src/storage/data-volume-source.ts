/** What a DataVolume is filled from, with the reference to a DataSource followed. Pure. */
import { isCloneAllowed } from './clone-pin.ts';
import type { DataSource, DataVolume, DataVolumeImportSource } from '../types/index.ts';

type FindDataSource = (namespace: string, name: string) => DataSource | undefined;

/** How many DataSources may point at each other. */
const MAX_HOPS = 4;

/**
 * Undefined while a DataSource that is named does not exist or is not complete, and for a source in a namespace that
 * the DataVolume's maker was not asked about.
 */
export function resolveSource(volume: DataVolume, find: FindDataSource): DataVolumeImportSource | undefined {
  const source = followed(volume, find);
  const isAllowed = (['pvc', 'snapshot'] as const).every((kind) => {
    const { namespace = '', name = '' } = source?.[kind] ?? {};
    const isOwn = namespace === '' || namespace === volume.metadata.namespace;
    return isOwn || isCloneAllowed(volume, { kind, namespace, name });
  });
  return isAllowed ? source : undefined;
}

function followed({ metadata, spec }: DataVolume, find: FindDataSource): DataVolumeImportSource | undefined {
  if (spec.source !== undefined) return spec.source;
  if (spec.sourceRef === undefined) return {};
  let namespace = spec.sourceRef.namespace ?? metadata.namespace ?? '';
  let { name } = spec.sourceRef;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const found = find(namespace, name);
    if (found === undefined) return undefined;
    const { pvc, snapshot, dataSource } = found.spec.source;
    if (pvc !== undefined) return { pvc: { ...pvc, namespace: pvc.namespace || namespace } };
    if (snapshot !== undefined)
      return { snapshot: { ...snapshot, namespace: snapshot.namespace || namespace } };
    if (dataSource === undefined) return undefined;
    namespace = dataSource.namespace || namespace;
    name = dataSource.name;
  }
  return undefined;
}

/** Why `resolveSource` gives nothing, in words for the DataVolume's maker. */
export function unresolvedSource({ spec }: DataVolume): string {
  return spec.sourceRef === undefined
    ? 'the source is in another namespace, and nobody asked whether the maker of the DataVolume may read it; make the DataVolume anew'
    : `DataSource ${spec.sourceRef.name} does not exist or is empty, or leads to another namespace than when the DataVolume was made; then make the DataVolume anew`;
}
