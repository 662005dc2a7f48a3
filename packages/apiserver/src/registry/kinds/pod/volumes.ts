/** Rules of a Pod's volumes: one source each, and what every kind of source needs. */
import { parseQuantity } from '@podvisor/base';
import { labelProblems, subdomainProblems } from '../../../verbs/metadata.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../../wire/field-errors.ts';
import { arrayAt, asObject, asString, at, type Json, objectAt, stringAt } from '../../../wire/json.ts';
import { repeats } from '../../../wire/repeats.ts';
import { validateClaim } from '../volume.ts';
import { backstepErrors } from './paths.ts';
import { projectionErrors } from './projected.ts';
import { downwardFileErrors, itemErrors, modeErrors, needs, type SourceRule } from './volume-files.ts';

const HOST_PATHS = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

export function volumeErrors(volumes: readonly Json[], path: string): FieldError[] {
  const names = volumes.map((volume) => stringAt(volume, 'name'));
  const again = repeats(names);
  return volumes.flatMap((volume, i) => {
    const where = `${path}[${i}]`;
    const name = names[i] ?? '';
    const sources = objectAt({ volume }, 'volume');
    const [kind, ...others] = Object.keys(SOURCES).filter((key) => asObject(sources[key]) !== undefined);
    const errors = kind === undefined ? [] : sourceErrors(kind, sources[kind] ?? {}, `${where}.${kind}`);
    for (const other of others)
      errors.push(forbidden(`${where}.${other}`, 'may not specify more than 1 volume type'));
    if (name === '') errors.push(required(`${where}.name`));
    else errors.push(...labelProblems(name).map((text) => invalid(`${where}.name`, name, text)));
    if (again.has(i)) errors.push(duplicate(`${where}.name`, name));
    return errors;
  });
}

/** What is wrong with a source of a kind; PersistentVolumes have most of them too. */
export function sourceErrors(kind: string, source: Json, path: string): FieldError[] {
  return [...((Object.hasOwn(SOURCES, kind) ? SOURCES[kind] : undefined)?.(source, path) ?? [])];
}

/** The name of a CSI driver, as Pods and PersistentVolumes have it. */
export function csiDriverErrors(source: Json, path: string): FieldError[] {
  const driver = stringAt(source, 'driver');
  const errors = driver === '' ? [required(`${path}.driver`)] : [];
  if (driver.length > 63) errors.push(tooLong(`${path}.driver`, 63));
  if (driver !== '')
    for (const text of subdomainProblems(driver.toLowerCase()))
      errors.push(invalid(`${path}.driver`, driver, text));
  return errors;
}

const keys =
  (name: string): SourceRule =>
  (source, path) => [
    ...needs(name)(source, path),
    ...modeErrors(source, path, 'defaultMode'),
    ...itemErrors(source, path),
  ];

/** By kind, in the order in which Kubernetes looks for them: the first one counts. */
const SOURCES: Readonly<Record<string, SourceRule>> = {
  emptyDir: (source, path) => {
    const size = at(source, 'sizeLimit');
    return size !== undefined && parseQuantity(asString(size)).nano < 0n
      ? [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : [];
  },
  hostPath: (source, path) => {
    const [place, type] = [stringAt(source, 'path'), stringAt(source, 'type')];
    if (place === '') return [required(`${path}.path`)];
    const kinds = HOST_PATHS.includes(type) ? [] : [notSupported(`${path}.type`, type, HOST_PATHS)];
    return [...backstepErrors(place, `${path}.path`), ...kinds];
  },
  gitRepo: needs('repository'),
  gcePersistentDisk: needs('pdName'),
  awsElasticBlockStore: needs('volumeID'),
  secret: keys('secretName'),
  nfs: (source, path) => [
    ...needs('server', 'path')(source, path),
    ...(stringAt(source, 'path').startsWith('/')
      ? []
      : [invalid(`${path}.path`, stringAt(source, 'path'), 'must be an absolute path')]),
  ],
  iscsi: (source, path) => [
    ...needs('targetPortal', 'iqn')(source, path),
    ...(/^(iqn|eui|naa|$)/.test(stringAt(source, 'iqn'))
      ? []
      : [
          invalid(
            `${path}.iqn`,
            stringAt(source, 'iqn'),
            'must be valid format starting with iqn, eui, or naa',
          ),
        ]),
  ],
  glusterfs: needs('endpoints', 'path'),
  flocker: () => [],
  persistentVolumeClaim: needs('claimName'),
  rbd: needs('monitors', 'image'),
  cinder: needs('volumeID'),
  cephfs: needs('monitors'),
  quobyte: needs('registry', 'volume'),
  downwardAPI: (source, path) => [
    ...modeErrors(source, path, 'defaultMode'),
    ...arrayAt(source, 'items').flatMap((item) => downwardFileErrors(item, path)),
  ],
  fc: (source, path) =>
    arrayAt(source, 'targetWWNs').length === 0 && arrayAt(source, 'wwids').length === 0
      ? [required(`${path}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both')]
      : [],
  flexVolume: needs('driver'),
  azureFile: needs('secretName', 'shareName'),
  configMap: keys('name'),
  vsphereVolume: needs('volumePath'),
  portworxVolume: needs('volumeID'),
  azureDisk: needs('diskName', 'diskURI'),
  scaleIO: () => [],
  storageos: () => [],
  projected: projectionErrors,
  csi: (source, path) => {
    const errors = csiDriverErrors(source, path);
    const secret = at(source, 'nodePublishSecretRef');
    return secret === undefined
      ? errors
      : [...errors, ...needs('name')(secret, `${path}.nodePublishSecretRef`)];
  },
  ephemeral: (source, path) => {
    const template = at(source, 'volumeClaimTemplate');
    const where = `${path}.volumeClaimTemplate`;
    return template === undefined
      ? [required(where)]
      : validateClaim(objectAt({ template }, 'template', 'spec'), `${where}.spec`);
  },
  image: (source, path) => [
    ...needs('reference')(source, path),
    ...(PULL_POLICIES.includes(stringAt(source, 'pullPolicy'))
      ? []
      : [notSupported(`${path}.pullPolicy`, stringAt(source, 'pullPolicy'), PULL_POLICIES)]),
  ],
};
