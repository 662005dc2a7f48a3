/** The rules of the versions of a CRD. What all versions share is judged once and named above the versions, as Kubernetes keeps it. */
import { deepEqual } from '@podvisor/base';
import { label1035Problems } from '../../verbs/metadata.ts';
import { type FieldError, invalid, required } from '../../wire/field-errors.ts';
import { arrayAt, at, isObject, type Json, type JsonObject, stringAt } from '../../wire/json.ts';
import { celErrors } from '../cel/cel-check.ts';
import { isReadable, keywordErrors, rootErrors } from '../schema-keywords.ts';
import { structuralErrors } from '../structural.ts';
import { defaultErrors } from './validate-defaults.ts';
import { selectableFieldErrors } from './validate-selectable-fields.ts';
import { columnErrors, subresourceErrors } from './validate-subresources.ts';

const SHARED = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;
type SharedKey = (typeof SHARED)[number];

/** Names that shared parts have above the versions. */
const ABOVE: Readonly<Record<SharedKey, string>> = {
  schema: 'validation',
  subresources: 'subresources',
  additionalPrinterColumns: 'additionalPrinterColumns',
  selectableFields: 'selectableFields',
};

/** `before` are the versions that an update changes: what their schemas cost was judged when they were written. */
export function versionErrors(versions: readonly Json[], before: readonly Json[] = []): FieldError[] {
  const errors: FieldError[] = versions.flatMap((version, i) => ownErrors(version, `spec.versions[${i}]`));
  const anyStatus = versions.some((version) => at(version, 'subresources', 'status') !== undefined);
  const old = new Map(before.map((version) => [stringAt(version, 'name'), version]));
  const shared = new Set(SHARED.filter((key) => isShared(versions, key)));
  for (const key of SHARED) {
    if (shared.has(key)) {
      const [first] = versions;
      if (first !== undefined) errors.push(...partErrors(first, old, key, `spec.${ABOVE[key]}`, anyStatus));
      continue;
    }
    versions.forEach((version, i) =>
      errors.push(
        ...partErrors(
          version,
          old,
          key,
          `spec.versions[${i}].${key}`,
          at(version, 'subresources', 'status') !== undefined,
        ),
      ),
    );
  }
  const names = versions.map((version) => stringAt(version, 'name'));
  if (new Set(names).size !== names.length)
    errors.push(
      invalid('spec.versions', shownVersions(versions, shared), 'must contain unique version names'),
    );
  if (versions.filter((version) => at(version, 'storage') === true).length !== 1)
    errors.push(
      invalid(
        'spec.versions',
        shownVersions(versions, shared),
        'must have exactly one version marked as storage version',
      ),
    );
  const [first] = names;
  const problems = first === undefined ? [] : label1035Problems(first);
  if (problems.length > 0) errors.push(invalid('spec.version', first, problems.join(',')));
  return errors;
}

function ownErrors(version: Json, path: string): FieldError[] {
  const name = stringAt(version, 'name');
  const problems = label1035Problems(name);
  const warning = at(version, 'deprecationWarning');
  return [
    ...(at(version, 'schema', 'openAPIV3Schema') === undefined
      ? [required(`${path}.schema.openAPIV3Schema`)]
      : []),
    ...(problems.length > 0 ? [invalid(`${path}.name`, name, problems.join(','))] : []),
    ...(typeof warning === 'string'
      ? warningProblems(warning, at(version, 'deprecated') === true).map((problem) =>
          invalid(`${path}.deprecationWarning`, warning, problem),
        )
      : []),
  ];
}

function warningProblems(warning: string, deprecated: boolean): string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const problems: string[] = [];
  if (Buffer.byteLength(warning) > 256) problems.push('must be <= 256 characters long');
  if (warning === '') problems.push('must not be an empty string');
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (unprintable !== null)
    problems.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${Buffer.byteLength(warning.slice(0, unprintable.index))}`,
    );
  return problems;
}

/** Problems of one part of a version, where it is kept. */
function partErrors(
  version: Json,
  before: ReadonlyMap<string, Json>,
  key: SharedKey,
  path: string,
  hasStatus: boolean,
): FieldError[] {
  const schema = at(version, 'schema', 'openAPIV3Schema');
  const old = before.get(stringAt(version, 'name'));
  const isUnchanged = old !== undefined && deepEqual(at(old, 'schema'), at(version, 'schema'));
  switch (key) {
    case 'schema':
      return isObject(schema) ? schemaErrors(schema, `${path}.openAPIV3Schema`, hasStatus, isUnchanged) : [];
    case 'subresources':
      return subresourceErrors(at(version, key), path);
    case 'additionalPrinterColumns':
      return arrayAt(version, key).flatMap((column, i) => columnErrors(column, `${path}[${i}]`));
    case 'selectableFields':
      return isObject(schema) ? selectableFieldErrors(arrayAt(version, key), schema, path) : [];
  }
}

function schemaErrors(
  schema: JsonObject,
  path: string,
  hasStatus: boolean,
  isUnchanged: boolean,
): FieldError[] {
  const shape = isReadable(schema) ? structuralErrors(schema, path) : [];
  const keywords = keywordErrors(schema, path);
  const sound = isReadable(schema) && shape.length === 0;
  const defaults = sound ? defaultErrors(schema, path) : [];
  const errors = [...rootErrors(schema, path, hasStatus), ...shape, ...defaults, ...keywords];
  return errors.length > 0 ? errors : celErrors(schema, path, isUnchanged);
}

function isShared(versions: readonly Json[], key: SharedKey): boolean {
  return versions.every((version) => deepEqual(at(version, key), at(versions[0], key)));
}

/** The versions as messages show them: what they share is not shown. */
function shownVersions(versions: readonly Json[], shared: ReadonlySet<SharedKey>): Json {
  const own = (key: SharedKey, version: Json): Json => (shared.has(key) ? null : (at(version, key) ?? null));
  return versions.map((version) => ({
    Name: stringAt(version, 'name'),
    Served: at(version, 'served') === true,
    Storage: at(version, 'storage') === true,
    Deprecated: at(version, 'deprecated') === true,
    DeprecationWarning: at(version, 'deprecationWarning') ?? null,
    Schema: own('schema', version),
    Subresources: own('subresources', version),
    AdditionalPrinterColumns: own('additionalPrinterColumns', version),
    SelectableFields: own('selectableFields', version),
  }));
}
