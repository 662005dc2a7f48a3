/**
 * Metadata inside a spec, that of a template for instance. Definitions of kinds leave it open, so a label that is a number
 * or a misspelt field would be stored, and missed when the template is used. KubeVirt's webhooks know what belongs there.
 */
import { isRecord } from '@podvisor/base';

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

/** A field of another type than it should be. */
interface WrongType {
  readonly field: string;
  /** The key in a map. */
  readonly key?: string | undefined;
  readonly expected: Type;
  readonly actual: string;
}

/** One sentence, in the words of a schema, for each field that metadata does not have or that is of another type. */
export function metadataProblems(metadata: unknown, path: string): readonly string[] {
  const unknown = isRecord(metadata) ? Object.keys(metadata).filter((name) => !FIELDS.has(name)) : [];
  return [
    ...unknown.map((name) => `${path}.${name} in body is a forbidden property`),
    ...wrongTypes(metadata, path).map(
      ({ field, key, expected, actual }) =>
        `${key === undefined ? field : `${field}.${key}`} in body must be of type ${expected}: "${actual}"`,
    ),
  ];
}

/** Why metadata cannot be read, where no schema was asked before; undefined when it can. */
export function unreadableMetadata(metadata: unknown, path: string): string | undefined {
  const [wrong] = wrongTypes(metadata, path);
  if (wrong === undefined) return undefined;
  const { actual, expected, field } = wrong;
  return `json: cannot unmarshal ${actual} into Go struct field ObjectMeta.${field} of type ${expected}`;
}

function wrongTypes(metadata: unknown, path: string): readonly WrongType[] {
  if (!isRecord(metadata)) return wrongType(metadata, 'object', path);
  return Object.entries(metadata).flatMap(([name, value]) => {
    const field = `${path}.${name}`;
    const [type, items] = FIELDS.get(name) ?? [];
    if (type === undefined) return [];
    const own = wrongType(value, type, field);
    if (own.length > 0 || items === undefined) return own;
    return Object.entries(value ?? {}).flatMap(([key, item]) =>
      wrongType(item, items, field, Array.isArray(value) ? undefined : key),
    );
  });
}

/** What is null is not there. */
function wrongType(value: unknown, expected: Type, field: string, key?: string): readonly WrongType[] {
  const actual = Array.isArray(value) ? 'array' : typeof value;
  const isRight = expected === 'integer' ? Number.isSafeInteger(value) : actual === expected;
  return isRight || value === null || value === undefined ? [] : [{ field, key, expected, actual }];
}
