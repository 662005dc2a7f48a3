/** Each endpoint writes its own part of an object: the rest of what was sent is replaced by what is stored. */
import type { VerbContext } from '../core.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { arrayAt, at, type JsonObject, type KubeObject, objectAt } from '../wire/json.ts';

/** Subresources that write a part of a Pod. */
type PodPart = 'resize' | 'ephemeralcontainers';

export function isPodPart(subresource: string): subresource is PodPart {
  return subresource === 'resize' || subresource === 'ephemeralcontainers';
}

/** Takes from the old object what this endpoint does not write. */
export function keepUnwritten(
  { definition, info }: VerbContext,
  given: KubeObject,
  current: KubeObject,
): KubeObject {
  const object: KubeObject = { ...given, metadata: { ...given.metadata } };
  const { metadata } = object;
  const old = current.metadata;
  if (info.method !== 'PUT' && (metadata.uid ?? '') !== '' && metadata.uid !== old.uid) {
    // A patch that changes the uid is told so by validation.
    return {
      ...object,
      metadata: { ...metadata, creationTimestamp: old.creationTimestamp, generation: old.generation },
    };
  }
  for (const key of ['uid', 'creationTimestamp', 'generation', 'namespace'] as const) {
    if (old[key] === undefined) delete metadata[key];
    else Object.assign(metadata, { [key]: old[key] });
  }
  delete metadata['selfLink'];
  metadata.resourceVersion = old.resourceVersion;
  if (old.deletionTimestamp !== undefined) {
    metadata.deletionTimestamp = old.deletionTimestamp;
    if (old.deletionGracePeriodSeconds !== undefined)
      metadata.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
  const hasStatus =
    definition.custom === undefined
      ? definition.subresources.has('status')
      : definition.custom.statusSubresource;
  if (info.subresource === 'status') return statusOnly(definition, object, current);
  if (info.subresource === 'approval') return approval(object, current);
  if (isPodPart(info.subresource)) return podPart(info.subresource, object, current);
  // Binding writes spec and status together; scale only changes what it was given.
  if (info.subresource === 'binding') return object;
  if (hasStatus)
    for (const field of definition.rules.statusFields ?? ['status']) keepField(object, current, field);
  return object;
}

/** What these subresources of a Pod write; the rest of what was sent is left. */
function podPart(subresource: PodPart, object: KubeObject, current: KubeObject): KubeObject {
  const [now, before] = [objectAt(object, 'spec'), objectAt(current, 'spec')];
  const spec: JsonObject = { ...before };
  if (subresource === 'ephemeralcontainers') {
    if (now['ephemeralContainers'] !== undefined) spec['ephemeralContainers'] = now['ephemeralContainers'];
    return { ...current, metadata: ownMetadata(object, current), spec };
  }
  for (const key of ['containers', 'initContainers']) {
    if (before[key] === undefined) continue;
    // A container that was sent and is not there, or the other way round, is named by the rules.
    if (arrayAt(now, key).length !== arrayAt(before, key).length) {
      spec[key] = arrayAt(now, key);
      continue;
    }
    spec[key] = arrayAt(before, key).map((container) => {
      const sent = arrayAt(now, key).find((other) => at(other, 'name') === at(container, 'name'));
      const { resources, resizePolicy } = objectAt({ sent }, 'sent');
      return {
        ...objectAt({ container }, 'container'),
        ...(resources === undefined ? {} : { resources }),
        ...(resizePolicy === undefined ? {} : { resizePolicy }),
      };
    });
  }
  return { ...current, metadata: ownMetadata(object, current), spec };
}

/** A part of a Pod is written without its labels and annotations; who wrote it is noted. */
function ownMetadata({ metadata }: KubeObject, current: KubeObject): KubeObject['metadata'] {
  const { managedFields, resourceVersion } = metadata;
  return {
    ...current.metadata,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
}

/** Who approves a CertificateSigningRequest writes conditions, and no certificate. */
function approval(object: KubeObject, current: KubeObject): KubeObject {
  const status = { ...objectAt(current, 'status'), conditions: arrayAt(object, 'status', 'conditions') };
  return { ...current, metadata: object.metadata, status };
}

function statusOnly(definition: ResourceDefinition, object: KubeObject, current: KubeObject): KubeObject {
  const out: KubeObject = { ...current };
  for (const field of definition.rules.statusFields ?? ['status']) {
    if (object[field] === undefined) delete out[field];
    else out[field] = object[field];
  }
  // Custom resources keep all metadata; built-in kinds let labels, annotations and the like through.
  out.metadata =
    definition.custom === undefined
      ? object.metadata
      : {
          ...current.metadata,
          ...(object.metadata.managedFields === undefined
            ? {}
            : { managedFields: object.metadata.managedFields }),
        };
  return out;
}

function keepField(object: KubeObject, current: KubeObject, field: string): void {
  if (current[field] === undefined) delete object[field];
  else object[field] = current[field];
}
