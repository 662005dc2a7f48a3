/** Which warnings the kinds have, by `group/plural`. A warning takes nothing away: the object is stored. */
import { deepEqual } from '@podvisor/base';
import { labelProblems } from '../../verbs/metadata.ts';
import { arrayAt, at, type Json, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { selectorLabelWarnings, termWarnings, topologyWarnings } from './node-labels.ts';
import { oldVolumeWarnings, podWarnings } from './pod-warnings.ts';
import { fractionWarnings } from './whole-bytes.ts';

/** `old` is there on an update. */
export type Warnings = (object: KubeObject, old?: KubeObject) => string[];

const STORAGE = ['storage'];
const VOLUME_ANNOTATIONS = [
  [
    'volume.beta.kubernetes.io/storage-class',
    'deprecated since v1.8; use "storageClassName" attribute instead',
  ],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

export const WARNINGS: Readonly<Record<string, Warnings>> = {
  '/pods': (object, old) => [
    ...(old === undefined ? nameWarnings(object, IN_HOSTNAME) : []),
    ...podWarnings(object, ''),
  ],
  '/podtemplates': (object, old) => template(object, old, ['template']),
  '/replicationcontrollers': named(['spec', 'template']),
  '/persistentvolumeclaims': (object) => [
    ...annotationWarnings(object, VOLUME_ANNOTATIONS.slice(0, 1)),
    ...['requests', 'limits'].flatMap((part) =>
      fractionWarnings(at(object, 'spec', 'resources', part), `spec.resources.${part}`, STORAGE),
    ),
  ],
  '/persistentvolumes': volumeWarnings,
  '/services': serviceWarnings,
  'apps/daemonsets': (object, old) => template(object, old, ['spec', 'template']),
  'apps/deployments': named(['spec', 'template']),
  'apps/replicasets': named(['spec', 'template']),
  'apps/statefulsets': (object, old) => [
    ...template(object, old, ['spec', 'template']),
    ...(Number(at(object, 'spec', 'revisionHistoryLimit') ?? 0) < 0
      ? [
          'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
        ]
      : []),
  ],
  'batch/cronjobs': named(['spec', 'jobTemplate', 'spec', 'template']),
  'batch/jobs': named(['spec', 'template']),
  'networking.k8s.io/ingresses': (object, old) => {
    const key = 'kubernetes.io/ingress.class';
    const isOld = old === undefined && stringAt(object, 'spec', 'ingressClassName') === '';
    return isOld && at(object, 'metadata', 'annotations', key) !== undefined
      ? [`annotation "${key}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [];
  },
  'node.k8s.io/runtimeclasses': (object) =>
    selectorLabelWarnings(at(object, 'scheduling', 'nodeSelector'), 'scheduling.nodeSelector').map(
      withoutKey,
    ),
  'storage.k8s.io/storageclasses': (object) =>
    topologyWarnings(arrayAt(object, 'allowedTopologies'), 'allowedTopologies'),
};

/** A path that does not say which label of the map it means. */
function withoutKey(text: string): string {
  const [path = '', ...rest] = text.split('[');
  const key = rest.join('[');
  return rest.length === 0 ? text : `${path}${key.slice(key.indexOf(']') + 1)}`;
}

const IN_HOSTNAME = "the Pod's hostname";
const IN_POD_NAMES = 'Pod names and hostnames';

function nameWarnings({ metadata }: KubeObject, use: string): string[] {
  const problems = labelProblems(metadata.name ?? '');
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
      ];
}

/** A template that an update leaves alone was warned of before. */
function template(object: KubeObject, old: KubeObject | undefined, path: readonly string[]): string[] {
  const [part = ''] = path;
  if (old !== undefined && deepEqual(object[part], old[part])) return [];
  return podWarnings(objectAt(object, ...path), `${path.join('.')}.`);
}

/** Of kinds whose name becomes a part of the names of Pods. */
function named(path: readonly string[]): Warnings {
  return (object, old) => [
    ...(old === undefined ? nameWarnings(object, IN_POD_NAMES) : []),
    ...template(object, old, path),
  ];
}

function annotationWarnings(object: KubeObject, old: readonly (readonly [string, string])[]): string[] {
  const annotations = objectAt(object, 'metadata', 'annotations');
  return old
    .filter(([key]) => key in annotations)
    .map(([key, text]) => `metadata.annotations[${key}]: ${text}`);
}

function volumeWarnings(object: KubeObject): string[] {
  const terms: Json[] = arrayAt(object, 'spec', 'nodeAffinity', 'required', 'nodeSelectorTerms');
  return [
    ...annotationWarnings(object, VOLUME_ANNOTATIONS),
    ...(stringAt(object, 'spec', 'persistentVolumeReclaimPolicy') === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...terms.flatMap((term, i) => termWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${i}]`)),
    ...oldVolumeWarnings(objectAt(object, 'spec'), 'spec', ['gitRepo', 'flocker', 'quobyte']),
  ];
}

function serviceWarnings(object: KubeObject): string[] {
  const spec = objectAt(object, 'spec');
  const [type, external] = [stringAt(spec, 'type'), 'ExternalName'];
  const hasExternalIps = arrayAt(spec, 'externalIPs').length > 0;
  const isHeadless = stringAt(spec, 'clusterIP') === 'None';
  const affinity = stringAt(spec, 'sessionAffinity');
  const rules: readonly (readonly [boolean, string])[] = [
    [
      at(object, 'metadata', 'annotations', 'service.kubernetes.io/topology-aware-hints') !== undefined,
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    ],
    [
      isHeadless && stringAt(spec, 'loadBalancerIP') !== '',
      'spec.loadBalancerIP is ignored for headless services',
    ],
    [isHeadless && hasExternalIps, 'spec.externalIPs is ignored for headless services'],
    [
      isHeadless && affinity !== '' && affinity !== 'None',
      'spec.SessionAffinity is ignored for headless services',
    ],
    [type === external && hasExternalIps, `spec.externalIPs is ignored when spec.type is "${external}"`],
    [
      type !== external && stringAt(spec, 'externalName') !== '',
      `spec.externalName is ignored when spec.type is not "${external}"`,
    ],
    [
      stringAt(spec, 'trafficDistribution') === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return rules.flatMap(([holds, text]) => (holds ? [text] : []));
}
