/** Which objects of a collection a list, watch or deletecollection is about. */
import type { VerbContext } from '../../core.ts';
import { fieldMatcher, type FieldRequirement, parseFieldSelector } from '../../wire/field-selector.ts';
import { at, type KubeObject } from '../../wire/json.ts';
import { matchAll, parseLabelSelector } from '../../wire/label-selector.ts';
import { badRequest } from '../../wire/status.ts';
import { storeKey } from '../serialize.ts';

export interface Selection {
  /** Prefix of keys: a namespace, or undefined for all. */
  readonly prefix: string | undefined;
  /** True for objects that the selectors choose. */
  matches(object: KubeObject): boolean;
  /** No selector at all. */
  readonly everything: boolean;
  /** The one name that can match, when the field selector says so. */
  readonly name: string | undefined;
}

export function selectionOf(context: VerbContext): Selection {
  const { info, definition } = context;
  const labels = parseLabelSelector(info.query.get('labelSelector') ?? '');
  const requirements = parseFieldSelector(info.query.get('fieldSelector') ?? '');
  if (info.watchPrefix && info.name !== '')
    requirements.push({ field: 'metadata.name', equal: true, value: info.name });
  const fields = requirements.length === 0 ? undefined : compileFields(context, requirements);
  const prefix =
    definition.namespaced && info.namespace !== '' ? storeKey(definition, info.namespace, '') : undefined;
  return {
    prefix,
    everything: labels === matchAll && fields === undefined,
    matches: (object) => labels(object.metadata.labels) && (fields === undefined || fields(object)),
    name: requirements.find(({ field, equal }) => field === 'metadata.name' && equal)?.value,
  };
}

function compileFields(
  { definition }: VerbContext,
  requirements: readonly FieldRequirement[],
): (object: KubeObject) => boolean {
  const { rules, custom } = definition;
  const own = custom?.selectable ?? rules.selectable ?? [];
  if (custom !== undefined || own.length > 0) {
    for (const { field } of requirements) {
      if (field !== 'metadata.name' && field !== 'metadata.namespace' && !own.includes(field)) {
        throw badRequest(
          custom === undefined
            ? `field label not supported: ${field}`
            : `field label not supported: ${field}`,
        );
      }
    }
  }
  const known = ['metadata.name', 'metadata.namespace', ...own];
  return fieldMatcher(requirements, known, (object: KubeObject, field) => {
    if (field === 'metadata.name') return object.metadata.name ?? '';
    if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
    if (custom !== undefined) return custom.select(object, field);
    const special = rules.select?.(object, field);
    if (special !== undefined) return special;
    const value = at(object, ...field.split('.'));
    return value === undefined || value === null ? '' : String(value);
  });
}
