/** The stored form of an object: its JSON text in the order that Kubernetes writes, and its revision. */
import { keyOf } from '@podvisor/store';
import type { Stored } from '../object-store.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { type KubeObject, sortedText, sortKeys } from '../wire/json.ts';

/** JSON text: built-in kinds start with kind and apiVersion, custom resources have sorted keys. */
export function textOf(definition: ResourceDefinition, object: KubeObject): string {
  if (definition.custom !== undefined) return sortedText(object);
  const { kind, apiVersion, metadata, ...rest } = object;
  return JSON.stringify({ kind, apiVersion, metadata: orderMetadata(metadata), ...rest });
}

const ORDER = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;

export function orderMetadata(metadata: KubeObject['metadata']): KubeObject['metadata'] {
  const ordered: KubeObject['metadata'] = {};
  for (const key of ORDER) if (metadata[key] !== undefined) Object.assign(ordered, { [key]: metadata[key] });
  return ordered;
}

/** Where an object of this definition is kept. */
export function storeKey({ collection }: ResourceDefinition, namespace: string, name: string): string {
  const cut = collection.lastIndexOf('/');
  return keyOf(collection.slice(0, cut), collection.slice(cut + 1), namespace, name);
}

/** Stamps the revision and makes the stored form. */
export function storedForm(
  definition: ResourceDefinition,
  key: string,
  object: KubeObject,
  revision: number,
): Stored {
  const stamped: KubeObject = {
    ...object,
    metadata: orderMetadata({ ...object.metadata, resourceVersion: String(revision) }),
  };
  const ordered = definition.custom === undefined ? stamped : (sortKeys(stamped) as KubeObject);
  return {
    key,
    revision,
    object: ordered,
    text: definition.custom === undefined ? textOf(definition, ordered) : JSON.stringify(ordered),
  };
}
