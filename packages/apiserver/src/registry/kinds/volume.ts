/** PersistentVolumeClaims and StorageClasses. */
import { deepEqual, parseQuantity } from '@podvisor/base';
import { subdomainProblems } from '../../verbs/metadata.ts';
import { changedFields } from '../../wire/changed-fields.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../wire/field-errors.ts';
import {
  arrayAt,
  asString,
  at,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../../wire/json.ts';
import { labelKeyProblems } from '../../wire/label-selector.ts';
import { labelSelectorErrors } from '../../wire/selector-rules.ts';
import type { KindRules } from '../definition.ts';
import { immutableAt } from './common-rules.ts';
import { ACCESS_MODES } from './access-modes.ts';
import { ensure, fill, own } from './fill.ts';

const PVC_PROTECTION = 'kubernetes.io/pvc-protection';

export const claimRules: KindRules = {
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'volumeMode', 'Filesystem');
    if (object['status'] !== undefined) fill(ensure(object, 'status'), 'phase', 'Pending');
  },
  prepareCreate: (object) => {
    object['status'] = { phase: 'Pending' };
    const { metadata } = object;
    if (!(metadata.finalizers ?? []).includes(PVC_PROTECTION))
      metadata.finalizers = [...(metadata.finalizers ?? []), PVC_PROTECTION];
    dropForeignSource(ensure(object, 'spec'));
  },
  validate: (object) => validateClaim(objectAt(object, 'spec'), 'spec'),
  validateUpdate: (object, old) => validateClaimUpdate(object, old),
};

/** Sources of kinds that nobody provisions are dropped, as Kubernetes does; `dataSourceRef` may name any kind. */
function dropForeignSource(spec: JsonObject): void {
  const source = own(spec, 'dataSource');
  if (source === undefined) {
    const ref = objectAt(spec, 'dataSourceRef');
    if (spec['dataSourceRef'] !== undefined && at(ref, 'namespace') === undefined)
      spec['dataSource'] = {
        apiGroup: ref['apiGroup'] ?? null,
        kind: ref['kind'] ?? '',
        name: ref['name'] ?? '',
      };
    return;
  }
  if (isKnown(source)) fill(spec, 'dataSourceRef', { ...source });
  else delete spec['dataSource'];
}

/** What provisioners fill claims from without being asked: a claim, or a snapshot. */
function isKnown(source: JsonObject): boolean {
  const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
  return (
    (group === '' && kind === 'PersistentVolumeClaim') ||
    (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot')
  );
}

function sourceErrors(source: JsonObject | undefined, path: string): FieldError[] {
  if (source === undefined) return [];
  const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
  return [
    ...['name', 'kind'].flatMap((key) => (stringAt(source, key) === '' ? [required(`${path}.${key}`)] : [])),
    ...(group === '' && kind !== 'PersistentVolumeClaim'
      ? [invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...(group === ''
      ? []
      : subdomainProblems(group).map((problem) => invalid(`${path}.apiGroup`, group, problem))),
  ];
}

/** Both fields say the same, unless the newer one names a namespace. */
function sourcesErrors(spec: JsonObject, path: string): FieldError[] {
  const [source, ref] = [own(spec, 'dataSource'), own(spec, 'dataSourceRef')];
  const differ =
    source !== undefined &&
    ref !== undefined &&
    stringAt(ref, 'namespace') === '' &&
    ['apiGroup', 'kind', 'name'].some((key) => stringAt(source, key) !== stringAt(ref, key));
  return [
    ...sourceErrors(source, `${path}.dataSource`),
    ...sourceErrors(ref, `${path}.dataSourceRef`),
    ...(differ ? [invalid(path, {}, 'must match dataSourceRef')] : []),
  ];
}

/** Rules of a claim's spec at `path`; templates of claims have the same. */
export function validateClaim(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const modes = arrayAt(spec, 'accessModes').map(asString);
  if (modes.length === 0) errors.push(required(`${path}.accessModes`, 'at least 1 access mode is required'));
  for (const mode of modes)
    if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(`${path}.accessModes`, mode, ACCESS_MODES));
  if (modes.includes('ReadWriteOncePod') && modes.length > 1)
    errors.push(forbidden(`${path}.accessModes`, 'may not use ReadWriteOncePod with other access modes'));
  errors.push(...labelSelectorErrors(spec['selector'], `${path}.selector`));
  const storage = at(spec, 'resources', 'requests', 'storage');
  if (storage === undefined) errors.push(required(`${path}.resources[storage]`));
  else if (parseQuantity(asString(storage)).nano <= 0n)
    errors.push(invalid(`${path}.resources[storage]`, storage, 'must be greater than zero'));
  const className = stringAt(spec, 'storageClassName');
  if (className !== '')
    for (const problem of subdomainProblems(className))
      errors.push(invalid(`${path}.storageClassName`, className, problem));
  const mode = at(spec, 'volumeMode');
  if (mode !== undefined && mode !== 'Block' && mode !== 'Filesystem')
    errors.push(notSupported(`${path}.volumeMode`, mode, ['Block', 'Filesystem']));
  errors.push(...sourcesErrors(spec, path));
  return errors;
}

function validateClaimUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [{ ...objectAt(object, 'spec') }, { ...objectAt(old, 'spec') }];
  const bound = stringAt(old, 'status', 'phase') === 'Bound';
  // The binder may name the volume of an unbound claim.
  if (stringAt(before, 'volumeName') === '') delete now['volumeName'];
  if (before['storageClassName'] === undefined) delete now['storageClassName'];
  if (bound)
    for (const spec of [now, before])
      for (const key of ['resources', 'volumeAttributesClassName']) delete spec[key];
  const errors: FieldError[] = [];
  if (!deepEqual(now, before))
    errors.push(
      forbidden(
        'spec',
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\nchanged: ${changedFields(before, now, 'spec').join(', ')}`,
      ),
    );
  const [asked, had] = [
    stringAt(object, 'spec', 'resources', 'requests', 'storage'),
    stringAt(old, 'spec', 'resources', 'requests', 'storage'),
  ];
  if (bound && asked !== '' && had !== '' && parseQuantity(asked).compare(parseQuantity(had)) < 0) {
    errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  return errors;
}

/** Terms are told apart by their requirements: keys are unique in a term, values in a key, terms in the list. */
function topologyErrors(terms: readonly Json[], path: string): FieldError[] {
  const known: Json[] = [[]];
  return terms.flatMap((term, i) => {
    const where = `${path}[${i}].matchLabelExpressions`;
    const requirements = arrayAt(term, 'matchLabelExpressions');
    const keys = requirements.map((requirement) => stringAt(requirement, 'key'));
    const errors = requirements.flatMap((requirement, j) => {
      const values = arrayAt(requirement, 'values').map(asString);
      const key = keys[j] ?? '';
      return [
        ...(values.length === 0 ? [required(`${where}[${j}].values`)] : []),
        ...values.flatMap((value, k) =>
          values.indexOf(value) < k ? [duplicate(`${where}[${j}].values[${k}]`, value)] : [],
        ),
        ...labelKeyProblems(key).map((problem) => invalid(`${where}[${j}].key`, key, problem)),
        ...(keys.indexOf(key) < j ? [duplicate(`${where}[${j}].key`, key)] : []),
      ];
    });
    if (known.some((other) => deepEqual(other, requirements))) errors.push(duplicate(where, ''));
    known.push([...requirements]);
    return errors;
  });
}

const RECLAIM = ['Delete', 'Retain'];
const BINDING = ['Immediate', 'WaitForFirstConsumer'];

export const storageClassRules: KindRules = {
  default: (object) => {
    fill(object, 'reclaimPolicy', 'Delete');
    fill(object, 'volumeBindingMode', 'Immediate');
  },
  validate: (object) => {
    const errors: FieldError[] = [];
    const provisioner = stringAt(object, 'provisioner').toLowerCase();
    if (provisioner === '') errors.push(required('provisioner'));
    else
      for (const problem of labelKeyProblems(provisioner))
        errors.push(invalid('provisioner', provisioner, problem));
    if (Object.hasOwn(objectAt(object, 'parameters'), ''))
      errors.push(invalid('parameters', '', 'field can not be empty.'));
    const reclaim = stringAt(object, 'reclaimPolicy');
    if (!RECLAIM.includes(reclaim)) errors.push(notSupported('reclaimPolicy', reclaim, RECLAIM));
    const binding = stringAt(object, 'volumeBindingMode');
    if (!BINDING.includes(binding)) errors.push(notSupported('volumeBindingMode', binding, BINDING));
    errors.push(...topologyErrors(arrayAt(object, 'allowedTopologies'), 'allowedTopologies'));
    return errors;
  },
  validateUpdate: (object, old) => {
    const errors: FieldError[] = [];
    if (!deepEqual(object['parameters'], old['parameters']))
      errors.push(forbidden('parameters', 'updates to parameters are forbidden.'));
    if (object['provisioner'] !== old['provisioner'])
      errors.push(forbidden('provisioner', 'updates to provisioner are forbidden.'));
    if (object['reclaimPolicy'] !== old['reclaimPolicy'])
      errors.push(forbidden('reclaimPolicy', 'updates to reclaimPolicy are forbidden.'));
    errors.push(...immutableAt(object, old, '', ['volumeBindingMode']));
    return errors;
  },
};
