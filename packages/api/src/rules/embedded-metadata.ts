/**
 * Metadata inside a spec, that of a template for instance. Definitions of kinds leave it open, so a label that is a number
 * or a misspelt field would be stored, and missed when the template is used. KubeVirt's webhooks know what belongs there.
 */

type Type = 'string' | 'integer' | 'object' | 'array';

/** Fields that metadata has, and what they are; of lists and maps also what they hold. */
const FIELDS: ReadonlyMap<string, readonly [type: Type, items?: Type]> = new Map([
  ['annotations', ['object', 'string']],
  ['creationTimestamp', ['string']],
  ['deletionGracePeriodSeconds', ['integer']],
  ['deletionTimestamp', ['string']],
  ['finalizers', ['array', 'string']],
  ['generateName', ['string']],
  ['generation', ['integer']],
  ['labels', ['object', 'string']],
  ['managedFields', ['array', 'object']],
  ['name', ['string']],
  ['namespace', ['string']],
  ['ownerReferences', ['array', 'object']],
  ['resourceVersion', ['string']],
  ['selfLink', ['string']],
  ['uid', ['string']],
]);

/** One sentence, in the words of a schema, for each field that metadata does not have or that is of another type. */
export function metadataProblems(metadata: unknown, path: string): readonly string[] {
  if (metadata === undefined || metadata === null) return [];
  if (typeof metadata !== 'object') return typeProblems(metadata, 'object', path);
  return Object.entries(metadata).flatMap(([name, value]: [string, unknown]) => {
    const field = `${path}.${name}`;
    const known = FIELDS.get(name);
    if (known === undefined) return [`${field} in body is a forbidden property`];
    const [type, items] = known;
    const own = typeProblems(value, type, field);
    if (own.length > 0 || items === undefined || typeof value !== 'object' || value === null) return own;
    return Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
      typeProblems(item, items, Array.isArray(value) ? field : `${field}.${key}`),
    );
  });
}

/** What is null is not there. */
function typeProblems(value: unknown, type: Type, field: string): readonly string[] {
  const actual = typeOf(value);
  const isRight = type === 'integer' ? Number.isSafeInteger(value) : actual === type;
  return isRight || value === null ? [] : [`${field} in body must be of type ${type}: "${actual}"`];
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
