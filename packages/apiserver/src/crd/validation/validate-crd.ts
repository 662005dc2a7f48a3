/** The rules of a CRD itself: its name, its group, its versions, and what may not change. */
import { subdomainProblems } from '../../verbs/metadata.ts';
import { type FieldError, invalid, notSupported, required } from '../../wire/field-errors.ts';
import { arrayAt, asString, at, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { conversionErrors } from './validate-conversion.ts';
import { nameErrors, requiredNameErrors } from './validate-names.ts';
import { versionErrors } from './validate-versions.ts';

const APPROVED = 'api-approved.kubernetes.io';
const SCOPES = ['Cluster', 'Namespaced'];
const ENHANCEMENT = 'https://github.com/kubernetes/enhancements/pull/1111';

/** `old` is the object before an update. */
export function validateCrd(object: KubeObject, old?: KubeObject): FieldError[] {
  const names = objectAt(object, 'spec', 'names');
  const expected = `${stringAt(names, 'plural')}.${stringAt(object, 'spec', 'group')}`;
  const name = object.metadata.name ?? '';
  const preserves = (of: KubeObject | undefined): boolean => at(of, 'spec', 'preserveUnknownFields') === true;
  return [
    // An update cannot change the name; a changed group or plural says so itself.
    ...(name === expected || old !== undefined
      ? []
      : [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...groupErrors(stringAt(object, 'spec', 'group')),
    ...scopeErrors(stringAt(object, 'spec', 'scope')),
    ...versionErrors(arrayAt(object, 'spec', 'versions'), arrayAt(old, 'spec', 'versions')),
    ...requiredNameErrors(names, 'spec.names'),
    ...nameErrors(names, 'spec.names'),
    ...conversionErrors(objectAt(object, 'spec', 'conversion'), 'spec.conversion'),
    ...statusErrors(object),
    ...storedErrors(object),
    ...approvalErrors(object, old),
    ...(preserves(object) && !preserves(old)
      ? [
          invalid(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
  ];
}

function groupErrors(group: string): FieldError[] {
  if (group === '') return [required('spec.group')];
  const problems = subdomainProblems(group);
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))];
  return group.includes('.')
    ? []
    : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeErrors(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')];
  return SCOPES.includes(scope) ? [] : [notSupported('spec.scope', scope, SCOPES)];
}

/** Also all that may be wrong with a write of the status alone. */
export function statusErrors(object: KubeObject): FieldError[] {
  return nameErrors(objectAt(object, 'status', 'acceptedNames'), 'status.acceptedNames');
}

function storedErrors(object: KubeObject): FieldError[] {
  const path = 'status.storedVersions';
  const stored = arrayAt(object, 'status', 'storedVersions').map(asString);
  if (stored.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const versions = arrayAt(object, 'spec', 'versions');
  const names = new Set(versions.map((version) => stringAt(version, 'name')));
  return [
    ...versions
      .filter((version) => at(version, 'storage') === true && !stored.includes(stringAt(version, 'name')))
      .map((version) => invalid(path, stored, `must have the storage version ${stringAt(version, 'name')}`)),
    ...stored.flatMap((name, i) =>
      names.has(name)
        ? []
        : [
            invalid(
              `${path}[${i}]`,
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
}

type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

/** Groups of Kubernetes itself need somebody's consent; a consent that was there before is not asked for again. */
function approvalErrors(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(stringAt(object, 'spec', 'group'))) return [];
  const state = approval(object);
  if (old !== undefined && approval(old) === state) return [];
  const path = `metadata.annotations[${APPROVED}]`;
  if (state === 'missing')
    return [
      required(path, `protected groups must have approval annotation "${APPROVED}", see ${ENHANCEMENT}`),
    ];
  if (state !== 'invalid') return [];
  return [
    invalid(
      path,
      object.metadata.annotations?.[APPROVED],
      `protected groups must have approval annotation "${APPROVED}" with either a URL or a reason starting with "unapproved", see ${ENHANCEMENT}`,
    ),
  ];
}

function approval({ metadata }: KubeObject): Approval {
  const text = metadata.annotations?.[APPROVED] ?? '';
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]/.test(text) ? 'approved' : 'invalid';
}

/** Group and plural make the name; scope and kind belong to stored objects once the CRD is established. */
export function validateCrdUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const established = arrayAt(old, 'status', 'conditions').some(
    (c) => stringAt(c, 'type') === 'Established' && stringAt(c, 'status') === 'True',
  );
  const fields = [
    ...(established
      ? [
          ['spec', 'scope'],
          ['spec', 'names', 'kind'],
        ]
      : []),
    ['spec', 'group'],
    ['spec', 'names', 'plural'],
  ];
  return fields
    .filter((path) => stringAt(object, ...path) !== stringAt(old, ...path))
    .map((path) => invalid(path.join('.'), stringAt(object, ...path), 'field is immutable'));
}
