/**
 * What Kubernetes takes of a Pod, or of the template of one, and warns of: names that are old, values that hide each
 * other, selectors that match nothing.
 */
import { arrayAt, at, type Json, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';
import { containerWarnings, portWarnings } from './container-warnings.ts';
import { labelKeyWarnings, selectorLabelWarnings, termWarnings } from './node-labels.ts';
import { virtualPathWarnings } from './virtual-paths.ts';
import { fractionWarnings } from './whole-bytes.ts';

const OLD_ANNOTATIONS = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
] as const;

const SECCOMP_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';

/** Volumes that Kubernetes had: field, how the warning calls it, since when. */
const OLD_VOLUMES = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

/** `holder`: the Pod, or a template, with `metadata` and `spec`. `prefix`: its path with a dot, empty for a Pod. */
export function podWarnings(holder: JsonObject, prefix: string): string[] {
  const spec = objectAt(holder, 'spec');
  const path = `${prefix}spec`;
  const annotations = objectAt(holder, 'metadata', 'annotations');
  const seccomp = at(spec, 'securityContext', 'seccompProfile') ?? undefined;
  return [
    ...selectorLabelWarnings(spec['nodeSelector'], `${path}.nodeSelector`),
    ...nodeAffinityWarnings(spec, path),
    ...spreadWarnings(spec, path),
    ...OLD_ANNOTATIONS.filter(([key]) => key in annotations).map(
      ([key, text]) => `${prefix}metadata.annotations[${key}]: ${text}`,
    ),
    ...arrayAt(spec, 'volumes').flatMap((volume, i) =>
      oldVolumeWarnings(objectAt(volume), `${path}.volumes[${i}]`),
    ),
    ...virtualPathWarnings(arrayAt(spec, 'volumes')),
    ...repeated(arrayAt(spec, 'hostAliases'), 'ip', `${path}.hostAliases`),
    ...repeated(arrayAt(spec, 'imagePullSecrets'), 'name', `${path}.imagePullSecrets`),
    ...arrayAt(spec, 'imagePullSecrets').flatMap((secret, i) =>
      stringAt(secret, 'name') === '' ? [`${path}.imagePullSecrets[${i}].name: invalid empty name ""`] : [],
    ),
    ...fractionWarnings(spec['overhead'], `${path}.overhead`),
    ...(seccomp === undefined && SECCOMP_ANNOTATION in annotations
      ? [
          `${prefix}metadata.annotations[${SECCOMP_ANNOTATION}]: non-functional in v1.27+; use the "seccompProfile" field instead`,
        ]
      : []),
    ...containerWarnings(holder, prefix),
    ...portWarnings(spec, path),
    ...(Number(spec['terminationGracePeriodSeconds'] ?? 0) < 0
      ? [
          `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...['podAffinity', 'podAntiAffinity'].flatMap((kind) =>
      podAffinityWarnings(objectAt(spec, 'affinity', kind), `${path}.affinity.${kind}`),
    ),
  ];
}

/** Of volumes that no node can provide any more; persistent volumes have most of them, too. */
export function oldVolumeWarnings(
  volume: JsonObject,
  path: string,
  except: readonly string[] = [],
): string[] {
  return OLD_VOLUMES.filter(
    ([field]) => !except.includes(field) && (volume[field] ?? undefined) !== undefined,
  ).map(([, name, text]) => `${path}.${name}: ${text}`);
}

const NO_MATCH = 'a null labelSelector results in matching no pod';
const isUnset = (holder: Json | undefined, field: string): boolean =>
  (at(holder, field) ?? undefined) === undefined;

function nodeAffinityWarnings(spec: JsonObject, path: string): string[] {
  const affinity = objectAt(spec, 'affinity', 'nodeAffinity');
  const where = `${path}.affinity.nodeAffinity`;
  const needed = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  return [
    ...arrayAt(affinity, needed, 'nodeSelectorTerms').flatMap((term, i) =>
      termWarnings(term, `${where}.${needed}.nodeSelectorTerms[${i}]`),
    ),
    ...arrayAt(affinity, preferred).flatMap((term, i) =>
      termWarnings(at(term, 'preference'), `${where}.${preferred}[${i}].preference`),
    ),
  ];
}

function spreadWarnings(spec: JsonObject, path: string): string[] {
  return arrayAt(spec, 'topologySpreadConstraints').flatMap((constraint, i) => {
    const where = `${path}.topologySpreadConstraints[${i}]`;
    return [
      ...labelKeyWarnings(stringAt(constraint, 'topologyKey'), `${where}.topologyKey`),
      ...(isUnset(constraint, 'labelSelector') ? [`${where}.labelSelector: ${NO_MATCH}`] : []),
    ];
  });
}

function podAffinityWarnings(affinity: JsonObject, path: string): string[] {
  const needed = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  return [
    ...arrayAt(affinity, needed).flatMap((term, i) =>
      isUnset(term, 'labelSelector') ? [`${path}.${needed}[${i}].labelSelector: ${NO_MATCH}`] : [],
    ),
    ...arrayAt(affinity, preferred).flatMap((term, i) =>
      isUnset(at(term, 'podAffinityTerm'), 'labelSelector')
        ? [`${path}.${preferred}[${i}].podAffinityTerm.labelSelector: ${NO_MATCH}`]
        : [],
    ),
  ];
}

function repeated(list: readonly Json[], field: string, path: string): string[] {
  const seen = new Set<string>();
  return list.flatMap((item, i) => {
    const value = stringAt(item, field);
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [`${path}[${i}].${field}: duplicate ${field} ${JSON.stringify(value)}`] : [];
  });
}
