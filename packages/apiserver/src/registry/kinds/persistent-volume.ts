/** PersistentVolumes: one source, a capacity, and little that may change afterwards. */
import { deepEqual, parseQuantity } from '@podvisor/base';
import { subdomainProblems } from '../../verbs/metadata.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../wire/field-errors.ts';
import { arrayAt, asString, at, isObject, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { ACCESS_MODES } from './access-modes.ts';
import { ensure, fill } from './fill.ts';
import { nodeSelectorErrors } from './node-selector.ts';
import { defaultVolume } from './pod/defaults.ts';
import { backstepErrors } from './pod/paths.ts';
import { needs } from './pod/volume-files.ts';
import { csiDriverErrors, sourceErrors } from './pod/volumes.ts';

const RECLAIM = ['Delete', 'Recycle', 'Retain'];
const PROTECTION = 'kubernetes.io/pv-protection';
const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];

export const volumeRules: KindRules = {
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'persistentVolumeReclaimPolicy', 'Retain');
    fill(spec, 'volumeMode', 'Filesystem');
    defaultVolume(spec);
    delete spec['emptyDir'];
    if (object['status'] !== undefined) fill(ensure(object, 'status'), 'phase', 'Pending');
  },
  prepareCreate: (object, { nowMs }) => {
    object['status'] = {
      phase: 'Pending',
      lastPhaseTransitionTime: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    };
    const { metadata } = object;
    if (!(metadata.finalizers ?? []).includes(PROTECTION))
      metadata.finalizers = [...(metadata.finalizers ?? []), PROTECTION];
  },
  validate: (object) => specErrors(objectAt(object, 'spec')),
  validateUpdate: (object, old) => updateErrors(objectAt(object, 'spec'), objectAt(old, 'spec')),
};

function specErrors(spec: JsonObject): FieldError[] {
  const mode = stringAt(spec, 'volumeMode');
  const policy = stringAt(spec, 'persistentVolumeReclaimPolicy');
  const className = stringAt(spec, 'storageClassName');
  return [
    ...accessModeErrors(arrayAt(spec, 'accessModes').map(asString)),
    ...capacityErrors(objectAt(spec, 'capacity')),
    ...(policy === '' || RECLAIM.includes(policy)
      ? []
      : [notSupported('spec.persistentVolumeReclaimPolicy', policy, RECLAIM)]),
    ...affinityErrors(spec),
    ...volumeSourceErrors(spec),
    ...attributesClassErrors(spec),
    ...(className === ''
      ? []
      : subdomainProblems(className).map((problem) => invalid('spec.storageClassName', className, problem))),
    ...(mode === 'Block' || mode === 'Filesystem'
      ? []
      : [notSupported('spec.volumeMode', mode, ['Block', 'Filesystem'])]),
  ];
}

function accessModeErrors(modes: readonly string[]): FieldError[] {
  const path = 'spec.accessModes';
  const known = modes.filter((mode) => ACCESS_MODES.includes(mode));
  const single = known.includes('ReadWriteOncePod');
  return [
    ...(modes.length === 0 ? [required(path)] : []),
    ...modes
      .filter((mode) => !ACCESS_MODES.includes(mode))
      .map((mode) => notSupported(path, mode, ACCESS_MODES)),
    ...(single && known.some((mode) => mode !== 'ReadWriteOncePod')
      ? [forbidden(path, 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ];
}

function capacityErrors(capacity: JsonObject): FieldError[] {
  const path = 'spec.capacity';
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [required(path)] : []),
    ...(capacity['storage'] === undefined || names.length > 1
      ? [notSupported(path, capacity, ['storage'])]
      : []),
    ...names.flatMap((name) => {
      const value = asString(capacity[name]);
      return value !== '' && parseQuantity(value).nano <= 0n
        ? [invalid(`${path}[${name}]`, value, 'must be greater than zero')]
        : [];
    }),
  ];
}

function affinityErrors(spec: JsonObject): FieldError[] {
  const affinity = spec['nodeAffinity'];
  if (!isObject(affinity)) return [];
  const needed = affinity['required'];
  return isObject(needed)
    ? nodeSelectorErrors(needed, 'spec.nodeAffinity.required')
    : [required('spec.nodeAffinity.required', 'must specify required node constraints')];
}

function volumeSourceErrors(spec: JsonObject): FieldError[] {
  const given = SOURCES.filter((source) => isObject(spec[source]));
  const [first] = given;
  if (first === undefined) return [required('spec', 'must specify a volume type')];
  const source = objectAt(spec, first);
  const where = `spec.${first}`;
  return [
    ...given.slice(1).map((other) => forbidden(`spec.${other}`, 'may not specify more than 1 volume type')),
    ...(first === 'csi' ? csiErrors(source) : first === 'local' ? [] : sourceErrors(first, source, where)),
    ...(first === 'local' ? localErrors(spec, source) : []),
    ...(first === 'azureFile' && source['secretNamespace'] === ''
      ? [required(`${where}.secretNamespace`)]
      : []),
    ...(first === 'hostPath' &&
    /^\/+$/.test(stringAt(source, 'path')) &&
    spec['persistentVolumeReclaimPolicy'] === 'Recycle'
      ? [forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
  ];
}

function localErrors(spec: JsonObject, local: JsonObject): FieldError[] {
  const path = stringAt(local, 'path');
  return [
    ...(path === '' ? [required('spec.local.path')] : backstepErrors(path, 'spec.local.path')),
    ...(at(spec, 'nodeAffinity') === undefined
      ? [required('spec.nodeAffinity', 'Local volume requires node affinity')]
      : []),
  ];
}

const CSI_SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeStageSecretRef',
  'nodeExpandSecretRef',
];

function csiErrors(csi: JsonObject): FieldError[] {
  return [
    ...csiDriverErrors(csi, 'spec.csi'),
    ...needs('volumeHandle')(csi, 'spec.csi'),
    ...CSI_SECRETS.flatMap((name) => {
      const secret = csi[name];
      return isObject(secret) ? needs('name', 'namespace')(secret, `spec.csi.${name}`) : [];
    }),
  ];
}

/** A class of attributes is one of a CSI volume. */
function attributesClassErrors(spec: JsonObject): FieldError[] {
  const name = spec['volumeAttributesClassName'];
  if (name === undefined || name === null) return [];
  const path = 'spec.volumeAttributesClassName';
  const problems = name === '' ? [] : subdomainProblems(asString(name));
  return [
    ...(name === '' ? [required(path, 'an empty string is disallowed')] : []),
    ...problems.map((problem) => invalid(path, name, problem)),
    ...(isObject(spec['csi'])
      ? []
      : [required('spec.csi', 'has to be specified when using volumeAttributesClassName')]),
  ];
}

function updateErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const sources = (of: JsonObject): JsonObject =>
    Object.fromEntries(SOURCES.filter((key) => of[key] !== undefined).map((key) => [key, of[key]]));
  return [
    ...(deepEqual(sources(spec), sources(old))
      ? []
      : [
          forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation'),
        ]),
    ...(spec['volumeMode'] === old['volumeMode']
      ? []
      : [invalid('volumeMode', spec['volumeMode'], 'field is immutable')]),
    ...(old['nodeAffinity'] === undefined || deepEqual(spec['nodeAffinity'], old['nodeAffinity'])
      ? []
      : [invalid('nodeAffinity', spec['nodeAffinity'] ?? null, 'field is immutable')]),
  ];
}
