/** What is taken with a warning, kind by kind: the text that Kubernetes gives for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, KubeObject } from '../../wire/json.ts';
import { WARNINGS } from './kinds.ts';

function object(
  kind: string,
  fields: JsonObject,
  name = 'a',
  annotations?: Record<string, string>,
): KubeObject {
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    ...fields,
  };
}
const pod = (spec: JsonObject, name?: string, annotations?: Record<string, string>): KubeObject =>
  object('Pod', { spec: { containers: [{ name: 'c' }], ...spec } }, name, annotations);
const ofPod = (...given: Parameters<typeof pod>): readonly string[] =>
  WARNINGS['/pods']?.(pod(...given)) ?? [];

const NO_MATCH = 'a null labelSelector results in matching no pod';
const PODS: readonly (readonly [string, Parameters<typeof pod>, readonly string[]])[] = [
  ['an ordinary Pod', [{}], []],
  [
    'a name with dots',
    [{}, 'a.b'],
    [
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ],
  ],
  [
    'an old label of nodes in a selector',
    [{ nodeSelector: { 'beta.kubernetes.io/os': 'linux', mine: 'x' } }],
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'an old label of nodes in an affinity',
    [
      {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, preference: { matchExpressions: [{ key: 'node-role.kubernetes.io/master' }] } },
            ],
          },
        },
      },
    ],
    [
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: node-role.kubernetes.io/master is use "node-role.kubernetes.io/control-plane" instead',
    ],
  ],
  [
    'selectors that are not there',
    [
      {
        topologySpreadConstraints: [{ topologyKey: 'zone' }],
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }],
            preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { labelSelector: {} } }, {}],
          },
        },
      },
    ],
    [
      `spec.topologySpreadConstraints[0].labelSelector: ${NO_MATCH}`,
      `spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: ${NO_MATCH}`,
      `spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[1].podAffinityTerm.labelSelector: ${NO_MATCH}`,
    ],
  ],
  [
    'annotations that became fields',
    [
      {},
      'a',
      { 'scheduler.alpha.kubernetes.io/critical-pod': '', 'seccomp.security.alpha.kubernetes.io/pod': 'x' },
    ],
    [
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ],
  ],
  [
    'an annotation whose field is there',
    [
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      'a',
      { 'seccomp.security.alpha.kubernetes.io/pod': 'x' },
    ],
    [],
  ],
  [
    'volumes that no node has',
    [
      {
        volumes: [
          { name: 'v', gitRepo: {} },
          { name: 'w', rbd: {} },
        ],
      },
    ],
    [
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
      'spec.volumes[1].rbd: deprecated in v1.28, non-functional in v1.31+',
    ],
  ],
  [
    'files on and below each other',
    [
      {
        volumes: [
          { name: 'v', configMap: { name: 'm', items: [{ path: 'a' }, { path: 'a/b' }, { path: 'ab' }] } },
          {
            name: 'p',
            projected: {
              sources: [
                { secret: { name: 's', items: [{ path: 'token' }] } },
                { serviceAccountToken: { path: 'token' } },
              ],
            },
          },
        ],
      },
    ],
    [
      'volume "v" (ConfigMap "m"): overlapping paths: "a/b" with "a"',
      'volume "p" (Projected): overlapping paths: "token" (ServiceAccountToken) with "token" (Secret "s")',
    ],
  ],
  [
    'what is given twice or is empty',
    [
      {
        hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }],
        imagePullSecrets: [{ name: 'x' }, { name: 'x' }, {}],
      },
    ],
    [
      'spec.hostAliases[1].ip: duplicate ip "1.2.3.4"',
      'spec.imagePullSecrets[1].name: duplicate name "x"',
      'spec.imagePullSecrets[2].name: invalid empty name ""',
    ],
  ],
  [
    'parts of bytes',
    [
      {
        containers: [
          { name: 'c', resources: { requests: { memory: '100m', cpu: '100m' }, limits: { memory: '1' } } },
        ],
      },
    ],
    [
      'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
    ],
  ],
  [
    'a variable that hides another; one that adds to it',
    [
      {
        containers: [
          {
            name: 'c',
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
              { name: 'B', value: '1' },
              { name: 'B', value: '$(B)2' },
              { name: 'B', value: '$(B)' },
            ],
          },
        ],
      },
    ],
    [
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
      'spec.containers[0].env[4]: hides previous definition of "B", which may be dropped when using apply',
    ],
  ],
  [
    'ports of the same number or name',
    [
      {
        initContainers: [{ name: 'i', ports: [{ containerPort: 80, protocol: 'TCP', name: 'web' }] }],
        containers: [
          {
            name: 'c',
            ports: [
              { containerPort: 80, protocol: 'TCP', name: 'web' },
              { containerPort: 80, protocol: 'TCP', hostPort: 8080 },
              { containerPort: 80, protocol: 'UDP' },
            ],
          },
        ],
      },
    ],
    [
      'spec.containers[0].ports[0]: duplicate port definition with spec.initContainers[0].ports[0]',
      'spec.containers[0].ports[1]: overlapping port definition with spec.initContainers[0].ports[0]',
      'spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]',
      'spec.containers[0].ports[0]: duplicate port name "web" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
    ],
  ],
];

for (const [what, given, expected] of PODS)
  test(`a Pod with ${what}`, () => assert.deepEqual(ofPod(...given), expected));

const bad = { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } };
const deployment = (spec: JsonObject, replicas = 1): KubeObject =>
  object('Deployment', { spec: { replicas, template: { spec } } });

test('templates are named by their path, and only when something of the spec changed', () => {
  const told = [
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ];
  const warnings = WARNINGS['apps/deployments'];
  assert.deepEqual(warnings?.(deployment(bad)), told);
  assert.deepEqual(warnings?.(deployment(bad), deployment(bad)), []);
  assert.deepEqual(warnings?.(deployment(bad, 2), deployment(bad)), told);
  assert.deepEqual(
    WARNINGS['batch/cronjobs']?.(
      object('CronJob', { spec: { jobTemplate: { spec: { template: { spec: bad } } } } }),
    ),
    [told[0]?.replace('spec.', 'spec.jobTemplate.spec.')],
  );
});

const OTHERS: readonly (readonly [string, KubeObject, readonly string[]])[] = [
  [
    '/persistentvolumeclaims',
    object('PersistentVolumeClaim', { spec: { resources: { requests: { storage: '1500m' } } } }),
    ['spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer'],
  ],
  [
    '/persistentvolumes',
    object('PersistentVolume', { spec: { persistentVolumeReclaimPolicy: 'Recycle', glusterfs: {} } }),
    [
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      'spec.glusterfs: deprecated in v1.25, non-functional in v1.26+',
    ],
  ],
  [
    '/services',
    object('Service', {
      spec: { type: 'ClusterIP', clusterIP: 'None', sessionAffinity: 'ClientIP', externalName: 'x' },
    }),
    [
      'spec.SessionAffinity is ignored for headless services',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
  ],
  [
    'networking.k8s.io/ingresses',
    object('Ingress', { spec: {} }, 'a', { 'kubernetes.io/ingress.class': 'x' }),
    ['annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead'],
  ],
  [
    'storage.k8s.io/storageclasses',
    object('StorageClass', {
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone' }] }],
    }),
    [
      'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ],
  ],
];

for (const [kind, given, expected] of OTHERS)
  test(`warnings of ${kind}`, () => assert.deepEqual(WARNINGS[kind]?.(given), expected));
