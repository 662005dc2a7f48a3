/** What a kind has to say to an object that changed: its adjustments, its generation, its validation. */
import { deepEqual, memberOf } from '@podvisor/base';
import type { VerbContext } from '../core.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { type FieldError, invalidObject } from '../wire/field-errors.ts';
import type { KubeObject } from '../wire/json.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { ruleContext } from './rule-context.ts';
import { isPodPart } from './written-part.ts';

/** Subresources that write what an ordinary update may not. */
const OWN_WAY: ReadonlySet<string> = new Set(['binding', 'finalize']);

/** Lets the kind adjust the new object and counts its generation. */
export function prepareUpdated(
  { core, definition, info }: VerbContext,
  object: KubeObject,
  current: KubeObject,
): void {
  const context = ruleContext(core);
  if (info.subresource === 'status') definition.rules.prepareStatusUpdate?.(object, current);
  else if (!OWN_WAY.has(info.subresource)) definition.rules.prepareUpdate?.(object, current, context);
  const old = current.metadata.generation;
  if (old !== undefined) object.metadata.generation = old;
  if ((info.subresource === 'status' && definition.custom !== undefined) || info.subresource === 'binding')
    return;
  const counts = definition.custom !== undefined || definition.rules.hasGeneration === true;
  if (counts && definition.rules.fixedGeneration !== true && specChanged(definition, object, current))
    object.metadata.generation = (old ?? 0) + 1;
}

/** True when anything outside metadata and status changed. */
function specChanged(definition: ResourceDefinition, object: KubeObject, current: KubeObject): boolean {
  const skip = new Set(['metadata', 'apiVersion', 'kind']);
  const statusIsOwn = definition.custom === undefined ? true : definition.custom.statusSubresource;
  if (statusIsOwn) for (const field of definition.rules.statusFields ?? ['status']) skip.add(field);
  const keys = new Set([...Object.keys(object), ...Object.keys(current)]);
  for (const key of keys)
    if (!skip.has(key) && !deepEqual(memberOf(object, key), memberOf(current, key))) return true;
  return false;
}

/** Throws 422 with every fault of the new object. */
export function validateUpdated(
  { core, definition, info }: VerbContext,
  object: KubeObject,
  current: KubeObject,
): void {
  const context = ruleContext(core);
  const { rules, custom } = definition;
  // The real server checks metadata before and inside the kind's own rules, and names a problem each time.
  const metadata = [...validateMetadata(definition, object), ...validateMetadataUpdate(object, current)];
  const errors = [...metadata, ...metadata];
  if (info.subresource === 'status') errors.push(...(rules.validateStatusUpdate?.(object, current) ?? []));
  else if (info.subresource !== 'binding') {
    errors.push(...(rules.validate?.(object, context) ?? []));
    const changed = isPodPart(info.subresource)
      ? rules.validatePart?.(info.subresource, object, current)
      : rules.validateUpdate?.(object, current, context);
    errors.push(...(changed ?? []));
  }
  const own = custom?.validate(object, current) ?? [];
  // The status is checked on its own: its messages name fields from there.
  errors.push(...(info.subresource === 'status' ? own.map(belowStatus) : own));
  if (errors.length > 0) throw invalidObject(definition.kind, definition.group, info.name, errors);
}

function belowStatus(error: FieldError): FieldError {
  return { ...error, message: error.message.replace(/(^|: )status\.(\S+ in body )/, '$1$2') };
}
