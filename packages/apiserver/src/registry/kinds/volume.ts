/** PersistentVolumeClaims and StorageClasses. */
import { deepEqual, parseQuantity } from '@podvisor/base';
import { subdomainProblems } from '../../verbs/metadata.ts';
import { changedFields } from '../../wire/changed-fields.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../wire/field-errors.ts';
import {
  arrayAt,
  asString,
  at,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { immutableAt } from './common-rules.ts';
import { ensure, fill, own } from './fill.ts';
import { ACCESS_MODES } from './persistent-volume.ts';

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
  validate: (object) => validateClaim(objectAt(object, 'spec')),
  validateUpdate: (object, old) => validateClaimUpdate(object, old),
};

/** Sources of kinds that nobody provisions are dropped, as Kubernetes does; `dataSourceRef` may name any kind. */
function dropForeignSource(spec: JsonObject): void {
  const source = own(spec, 'dataSource');
  if (source === undefined) {
    const ref = objectAt(spec, 'dataSourceRef');
    if (KNOWN_SOURCES.has(stringAt(ref, 'kind')) && at(ref, 'namespace') === undefined)
      spec['dataSource'] = {
        apiGroup: ref['apiGroup'] ?? null,
        kind: ref['kind'] ?? '',
        name: ref['name'] ?? '',
      };
    return;
  }
  if (KNOWN_SOURCES.has(stringAt(source, 'kind'))) fill(spec, 'dataSourceRef', { ...source });
  else delete spec['dataSource'];
}

const KNOWN_SOURCES = new Set(['PersistentVolumeClaim', 'VolumeSnapshot']);

function validateClaim(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const modes = arrayAt(spec, 'accessModes').map(asString);
  if (modes.length === 0) errors.push(required('spec.accessModes', 'at least 1 access mode is required'));
  for (const mode of modes)
    if (!ACCESS_MODES.includes(mode)) errors.push(notSupported('spec.accessModes', mode, ACCESS_MODES));
  const storage = at(spec, 'resources', 'requests', 'storage');
  if (storage === undefined) errors.push(required('spec.resources[storage]'));
  else if (parseQuantity(asString(storage)).nano <= 0n)
    errors.push(invalid('spec.resources[storage]', storage, 'must be greater than zero'));
  const className = stringAt(spec, 'storageClassName');
  if (className !== '')
    for (const problem of subdomainProblems(className))
      errors.push(invalid('spec.storageClassName', className, problem));
  const mode = at(spec, 'volumeMode');
  if (mode !== undefined && mode !== 'Block' && mode !== 'Filesystem')
    errors.push(notSupported('spec.volumeMode', mode, ['Block', 'Filesystem']));
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

const RECLAIM = ['Delete', 'Retain'];
const BINDING = ['Immediate', 'WaitForFirstConsumer'];

export const storageClassRules: KindRules = {
  default: (object) => {
    fill(object, 'reclaimPolicy', 'Delete');
    fill(object, 'volumeBindingMode', 'Immediate');
  },
  validate: (object) => {
    const errors: FieldError[] = [];
    if (stringAt(object, 'provisioner') === '') errors.push(required('provisioner'));
    const reclaim = stringAt(object, 'reclaimPolicy');
    if (!RECLAIM.includes(reclaim)) errors.push(notSupported('reclaimPolicy', reclaim, RECLAIM));
    const binding = stringAt(object, 'volumeBindingMode');
    if (!BINDING.includes(binding)) errors.push(notSupported('volumeBindingMode', binding, BINDING));
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
