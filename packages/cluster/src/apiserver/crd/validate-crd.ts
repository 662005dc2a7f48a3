/** The rules of a CRD itself: its name, its versions, and what may not change once it is established. */
import { type FieldError, invalid, notSupported, required } from '../wire/field-errors.ts';
import { arrayAt, at, type KubeObject, stringAt } from '../wire/json.ts';

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
  errors.push(...validateVersions(object));
  for (const key of ['plural', 'kind'])
    if (stringAt(object, 'spec', 'names', key) === '') errors.push(required(`spec.names.${key}`));
  return errors;
}

function validateVersions(object: KubeObject): FieldError[] {
  const versions = arrayAt(object, 'spec', 'versions');
  const errors: FieldError[] = [];
  if (versions.filter((version) => at(version, 'storage') === true).length !== 1) {
    errors.push(
      invalid('spec.versions', versions, 'must have exactly one version marked as storage version'),
    );
  }
  const names = versions.map((version) => stringAt(version, 'name'));
  if (new Set(names).size !== names.length)
    errors.push(invalid('spec.versions', versions, 'must contain unique version names'));
  versions.forEach((version, i) => {
    if (at(version, 'schema', 'openAPIV3Schema') === undefined)
      errors.push(required(`spec.versions[${i}].schema.openAPIV3Schema`, 'schemas are required'));
  });
  return errors;
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
