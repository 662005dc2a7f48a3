/** The rules of a CRD itself: its name, its versions, and what may not change once it is established. */
import { deepEqual } from '@podvisor/base';
import { label1035Text } from '../verbs/metadata.ts';
import { type FieldError, invalid, notSupported, required } from '../wire/field-errors.ts';
import {
  arrayAt,
  asString,
  at,
  isObject,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import { celErrors } from './cel-check.ts';
import { structuralErrors } from './structural.ts';

const APPROVED = 'api-approved.kubernetes.io';
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

export function validateCrd(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const group = stringAt(object, 'spec', 'group');
  const expected = `${stringAt(object, 'spec', 'names', 'plural')}.${group}`;
  if (object.metadata.name !== expected)
    errors.push(
      invalid('metadata.name', object.metadata.name ?? '', 'must be spec.names.plural+"."+spec.group'),
    );
  if (group === '') errors.push(required('spec.group'));
  else if (!group.includes('.'))
    errors.push(invalid('spec.group', group, 'should be a domain with at least one dot'));
  const scope = stringAt(object, 'spec', 'scope');
  if (scope === '') errors.push(required('spec.scope'));
  else if (!['Cluster', 'Namespaced'].includes(scope))
    errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  if (at(object, 'spec', 'preserveUnknownFields') === true)
    errors.push(
      invalid(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    );
  errors.push(...versionErrors(object), ...nameErrors(object), ...schemaErrors(object));
  errors.push(...conversionErrors(object), ...storedErrors(object), ...approvalErrors(object, group));
  return errors;
}

function nameErrors(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const names = objectAt(object, 'spec', 'names');
  for (const key of ['plural', 'kind'])
    if (stringAt(names, key) === '') errors.push(required(`spec.names.${key}`));
  for (const key of ['plural', 'singular']) {
    const name = stringAt(names, key);
    if (name !== '' && !LABEL_1035.test(name)) errors.push(invalid(`spec.names.${key}`, name, label1035Text));
  }
  for (const key of ['kind', 'listKind']) {
    const name = stringAt(names, key);
    if (name !== '' && !LABEL_1035.test(name.toLowerCase()))
      errors.push(
        invalid(
          `spec.names.${key}`,
          name,
          `may have mixed case, but should otherwise match: ${label1035Text}`,
        ),
      );
  }
  if (stringAt(names, 'kind') !== '' && stringAt(names, 'kind') === stringAt(names, 'listKind'))
    errors.push(
      invalid('spec.names.listKind', stringAt(names, 'listKind'), 'kind and listKind may not be the same'),
    );
  arrayAt(names, 'shortNames').forEach((name, i) => {
    if (!LABEL_1035.test(asString(name)))
      errors.push(invalid(`spec.names.shortNames[${i}]`, name, label1035Text));
  });
  arrayAt(names, 'categories').forEach((name, i) => {
    if (!LABEL_1035.test(asString(name)))
      errors.push(invalid(`spec.names.categories[${i}]`, name, label1035Text));
  });
  return errors;
}

/** Schema, subresources and columns that all versions share are kept once, above the versions. */
function shared(versions: readonly Json[], key: string): boolean {
  return versions.every((version) => deepEqual(at(version, key), at(versions[0], key)));
}

/** The versions as messages show them. */
function shownVersions(versions: readonly Json[]): Json {
  const above = (key: string, version: Json): Json =>
    shared(versions, key) ? null : ((at(version, key) as Json | undefined) ?? null);
  return versions.map((version) => ({
    Name: stringAt(version, 'name'),
    Served: at(version, 'served') === true,
    Storage: at(version, 'storage') === true,
    Deprecated: at(version, 'deprecated') === true,
    DeprecationWarning: (at(version, 'deprecationWarning') as Json | undefined) ?? null,
    Schema: above('schema', version),
    Subresources: above('subresources', version),
    AdditionalPrinterColumns: above('additionalPrinterColumns', version),
    SelectableFields: above('selectableFields', version),
  }));
}

function versionErrors(object: KubeObject): FieldError[] {
  const versions = arrayAt(object, 'spec', 'versions');
  const errors: FieldError[] = [];
  versions.forEach((version, i) => {
    const path = `spec.versions[${i}]`;
    const name = stringAt(version, 'name');
    const warning = at(version, 'deprecationWarning');
    if (!LABEL_1035.test(name)) errors.push(invalid(`${path}.name`, name, label1035Text));
    if (warning !== undefined && at(version, 'deprecated') !== true)
      errors.push(invalid(`${path}.deprecationWarning`, warning, 'can only be set for deprecated versions'));
    if (at(version, 'schema', 'openAPIV3Schema') === undefined)
      errors.push(
        required(`${path}.schema.openAPIV3Schema`, versions.length === 1 ? '' : 'schemas are required'),
      );
  });
  const names = versions.map((version) => stringAt(version, 'name'));
  if (new Set(names).size !== names.length)
    errors.push(invalid('spec.versions', shownVersions(versions), 'must contain unique version names'));
  if (versions.filter((version) => at(version, 'storage') === true).length !== 1)
    errors.push(
      invalid(
        'spec.versions',
        shownVersions(versions),
        'must have exactly one version marked as storage version',
      ),
    );
  const [only] = names;
  if (names.length === 1 && only !== undefined && !LABEL_1035.test(only))
    errors.push(invalid('spec.version', only, label1035Text));
  return errors;
}

function schemaErrors(object: KubeObject): FieldError[] {
  const versions = arrayAt(object, 'spec', 'versions');
  const once = shared(versions, 'schema');
  return versions.flatMap((version, i) => {
    const schema = at(version, 'schema', 'openAPIV3Schema');
    if (!isObject(schema) || (once && i > 0)) return [];
    const path = once ? 'spec.validation.openAPIV3Schema' : `spec.versions[${i}].schema.openAPIV3Schema`;
    const errors = structuralErrors(schema, path);
    return errors.length > 0 ? errors : celErrors(schema, path);
  });
}

function conversionErrors(object: KubeObject): FieldError[] {
  const conversion = objectAt(object, 'spec', 'conversion');
  const strategy = stringAt(conversion, 'strategy');
  if (strategy === '' || strategy === 'None') return [];
  if (strategy !== 'Webhook')
    return [notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook'])];
  const config: JsonObject = objectAt(conversion, 'webhook', 'clientConfig');
  const errors: FieldError[] = [];
  if (Object.keys(config).length === 0)
    errors.push(required('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook'));
  else if ((config['url'] === undefined) === (config['service'] === undefined))
    errors.push(required('spec.conversion.webhookClientConfig', 'exactly one of url or service is required'));
  const versions = arrayAt(conversion, 'webhook', 'conversionReviewVersions').map(asString);
  if (versions.length === 0) errors.push(required('spec.conversion.conversionReviewVersions'));
  else if (!versions.some((version) => version === 'v1' || version === 'v1beta1'))
    errors.push(
      invalid(
        'spec.conversion.conversionReviewVersions',
        versions,
        'must include at least one of v1, v1beta1',
      ),
    );
  return errors;
}

function storedErrors(object: KubeObject): FieldError[] {
  const stored = arrayAt(object, 'status', 'storedVersions');
  const storage = arrayAt(object, 'spec', 'versions').filter((version) => at(version, 'storage') === true);
  if (stored.length === 0)
    return [invalid('status.storedVersions', null, 'must have at least one stored version')];
  const missing = storage
    .map((version) => stringAt(version, 'name'))
    .filter((name) => !stored.includes(name));
  return missing.map((name) =>
    invalid('status.storedVersions', stored, `must have the storage version ${name}`),
  );
}

/** Groups of Kubernetes itself need somebody's consent. */
function approvalErrors({ metadata }: KubeObject, group: string): FieldError[] {
  const guarded = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (!guarded || (metadata.annotations?.[APPROVED] ?? '') !== '') return [];
  return [
    required(
      `metadata.annotations[${APPROVED}]`,
      `protected groups must have approval annotation "${APPROVED}", see https://github.com/kubernetes/enhancements/pull/1111`,
    ),
  ];
}

/** Names and scope belong to stored objects; they stay when the CRD is established. */
export function validateCrdUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const established = arrayAt(old, 'status', 'conditions').some(
    (c) => stringAt(c, 'type') === 'Established' && stringAt(c, 'status') === 'True',
  );
  if (!established) return [];
  const fields = [
    ['spec', 'group'],
    ['spec', 'scope'],
    ['spec', 'names', 'plural'],
    ['spec', 'names', 'kind'],
  ];
  return fields
    .filter((path) => stringAt(object, ...path) !== stringAt(old, ...path))
    .map((path) => invalid(path.join('.'), stringAt(object, ...path), 'field is immutable'));
}
