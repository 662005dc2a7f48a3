/**
 * What Kubernetes refuses of built-in kinds, by kind: a good object, a change that makes it bad, and the causes that a
 * kube-apiserver names for it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { arrayAt, at, type JsonObject, stringAt } from '../wire/json.ts';

const NAMESPACE = '/api/v1/namespaces/default';
let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
  await client.send('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } });
});
after(() => server[Symbol.asyncDispose]());

const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};

interface Kind {
  readonly path: string;
  readonly object: JsonObject;
}

const KINDS = {
  StatefulSet: {
    path: '/apis/apps/v1/namespaces/default/statefulsets',
    object: {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        serviceName: 'x',
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
        template,
      },
    },
  },
  DaemonSet: {
    path: '/apis/apps/v1/namespaces/default/daemonsets',
    object: { spec: { selector: { matchLabels: { a: 'b' } }, template } },
  },
  Job: {
    path: '/apis/batch/v1/namespaces/default/jobs',
    object: {
      spec: {
        podFailurePolicy: {
          rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }],
        },
        template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
      },
    },
  },
  HorizontalPodAutoscaler: {
    path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    object: {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
        maxReplicas: 3,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
        behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }] } },
      },
    },
  },
  PersistentVolumeClaim: {
    path: `${NAMESPACE}/persistentvolumeclaims`,
    object: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  },
  StorageClass: {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    object: {
      provisioner: 'a.b/c',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }],
    },
  },
  NetworkPolicy: {
    path: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    object: {
      spec: {
        podSelector: {},
        ingress: [
          { from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80 }] },
        ],
      },
    },
  },
  EndpointSlice: {
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    object: {
      addressType: 'IPv6',
      endpoints: [{ addresses: ['2001:db8::1'], hostname: 'a' }],
      ports: [{ name: 'p', port: 80 }],
    },
  },
  RoleBinding: {
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
    object: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
      subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'b' }],
    },
  },
  Service: {
    path: `${NAMESPACE}/services`,
    object: {
      spec: {
        ports: [
          { name: 'p', port: 80 },
          { name: 'q', port: 81 },
        ],
      },
    },
  },
  APIService: {
    path: '/apis/apiregistration.k8s.io/v1/apiservices',
    object: {
      metadata: { name: 'v1.g.x' },
      spec: {
        group: 'g.x',
        version: 'v1',
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: 'a', namespace: 'b', port: 443 },
      },
    },
  },
  Node: { path: '/api/v1/nodes', object: { spec: { podCIDR: '10.1.0.0/24' } } },
  Namespace: { path: '/api/v1/namespaces', object: { spec: { finalizers: ['kubernetes'] } } },
  Pod: {
    path: `${NAMESPACE}/pods`,
    object: {
      spec: {
        ...template.spec,
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      },
    },
  },
  PodDisruptionBudget: {
    path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    object: { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } },
  },
  ValidatingWebhookConfiguration: {
    path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    object: {
      webhooks: [
        {
          name: 'a.b.c',
          clientConfig: { url: 'https://x.example/y' },
          rules: [
            { apiGroups: ['x.example'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['z'] },
          ],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  },
  Event: {
    path: '/apis/events.k8s.io/v1/namespaces/default/events',
    object: {
      eventTime: '2024-01-01T00:00:00.000000Z',
      reportingController: 'x.y/z',
      reportingInstance: 'i',
      action: 'act',
      reason: 'Why',
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
      type: 'Normal',
    },
  },
} satisfies Record<string, Kind>;

/** Kind, place of the change, its value (undefined: left out), and the causes. */
const REFUSALS: readonly (readonly [keyof typeof KINDS, string, unknown, readonly string[]])[] = [
  ['APIService', 'spec.service.port', 0, ['Invalid spec.service.port']],
  ['StatefulSet', 'spec.template.spec.containers', [], ['Required spec.template.spec.containers']],
  [
    'StatefulSet',
    'spec.template.spec.containers.0.volumeMounts',
    [{ name: 'zz', mountPath: '/x' }],
    ['NotFound spec.template.spec.containers[0].volumeMounts[0].name'],
  ],
  [
    'StatefulSet',
    'spec.volumeClaimTemplates.0.spec.resources',
    {},
    ['Required spec.volumeClaimTemplates[0].spec.resources[storage]'],
  ],
  ['StatefulSet', 'spec.serviceName', '..', ['Invalid spec.serviceName']],
  ['StatefulSet', 'spec.ordinals', { start: -1 }, ['Invalid spec.ordinals.start']],
  [
    'StatefulSet',
    'spec.persistentVolumeClaimRetentionPolicy',
    { whenScaled: 'x' },
    ['NotSupported spec.persistentVolumeClaimRetentionPolicy.whenScaled'],
  ],
  ['DaemonSet', 'spec.selector', undefined, ['Invalid spec.template.metadata.labels']],
  [
    'Job',
    'spec.podFailurePolicy.rules.0.onExitCodes',
    {},
    [
      'Required spec.podFailurePolicy.rules[0].onExitCodes.operator',
      'Invalid spec.podFailurePolicy.rules[0].onExitCodes.values',
    ],
  ],
  ['Job', 'spec.podReplacementPolicy', 'TerminatingOrFailed', ['NotSupported spec.podReplacementPolicy']],
  [
    'HorizontalPodAutoscaler',
    'spec.metrics.0.resource.target',
    { type: 'Utilization' },
    ['Required spec.metrics[0].resource.target.averageUtilization'],
  ],
  [
    'HorizontalPodAutoscaler',
    'spec.metrics.0.type',
    'Pods',
    ['Required spec.metrics[0].pods', 'Forbidden spec.metrics[0].resource'],
  ],
  [
    'HorizontalPodAutoscaler',
    'spec.behavior.scaleDown.policies.0.periodSeconds',
    1801,
    ['Invalid spec.behavior.scaleDown.policies[0].periodSeconds'],
  ],
  [
    'HorizontalPodAutoscaler',
    'spec.scaleTargetRef.apiVersion',
    'v1',
    ['Invalid spec.scaleTargetRef.apiVersion'],
  ],
  [
    'PersistentVolumeClaim',
    'spec.dataSourceRef',
    { kind: 'Pod', name: 'x' },
    ['Invalid spec.dataSource', 'Invalid spec.dataSourceRef'],
  ],
  [
    'PersistentVolumeClaim',
    'spec.accessModes',
    ['ReadWriteOnce', 'ReadWriteOncePod'],
    ['Forbidden spec.accessModes'],
  ],
  [
    'PersistentVolumeClaim',
    'spec.selector',
    { matchLabels: { a: '*' } },
    ['Invalid spec.selector.matchLabels'],
  ],
  ['StorageClass', 'provisioner', 'A B', ['Invalid provisioner']],
  [
    'StorageClass',
    'allowedTopologies.0.matchLabelExpressions.0.values',
    ['b', 'b'],
    ['Duplicate allowedTopologies[0].matchLabelExpressions[0].values[1]'],
  ],
  ['StorageClass', 'allowedTopologies.0', {}, ['Duplicate allowedTopologies[0].matchLabelExpressions']],
  [
    'NetworkPolicy',
    'spec.ingress.0.ports.0',
    { port: 80, endPort: 70 },
    ['Invalid spec.ingress[0].ports[0].endPort'],
  ],
  [
    'NetworkPolicy',
    'spec.ingress.0.ports.0.protocol',
    'XX',
    ['NotSupported spec.ingress[0].ports[0].protocol'],
  ],
  [
    'NetworkPolicy',
    'spec.ingress.0.from.0.ipBlock.except.0',
    '11.0.0.0/8',
    ['Invalid spec.ingress[0].from[0].ipBlock.except[0]'],
  ],
  [
    'NetworkPolicy',
    'spec.podSelector',
    { matchLabels: { a: 'c d' } },
    ['Invalid spec.podSelector.matchLabels'],
  ],
  [
    'NetworkPolicy',
    'spec.ingress.0.from.0.ipBlock',
    { cidr: 'fe80::1%eth0/64' },
    ['Invalid spec.ingress[0].from[0].ipBlock.cidr'],
  ],
  ['EndpointSlice', 'endpoints.0.addresses.0', '::1%lo', ['Invalid endpoints[0].addresses[0]']],
  ['EndpointSlice', 'endpoints.0.hostname', 'a.b', ['Invalid endpoints[0].hostname']],
  ['EndpointSlice', 'ports.0.port', 65536, ['Invalid ports[0].port']],
  ['EndpointSlice', 'ports.0.port', 0, ['Invalid ports[0].port']],
  ['EndpointSlice', 'ports.0.protocol', 'XX', ['NotSupported ports[0].protocol']],
  ['EndpointSlice', 'ports', [{ port: 80 }, { port: 81 }], ['Duplicate ports[1].name']],
  ['RoleBinding', 'roleRef.name', 'a/b', ['Invalid roleRef.name']],
  ['RoleBinding', 'subjects.0.name', 'A', ['Invalid subjects[0].name']],
  ['Service', 'spec.ports.1.name', 'p', ['Duplicate spec.ports[1].name']],
  ['Service', 'spec.ports.0.targetPort', 'A_b', ['Invalid spec.ports[0].targetPort']],
  ['Service', 'spec.ports.0.appProtocol', 'a b', ['Invalid spec.ports[0].appProtocol']],
  ['Node', 'spec.podCIDR', 'a.b', ['Invalid spec.podCIDRs[0]']],
  ['Namespace', 'spec.finalizers', ['x'], ['Invalid spec.finalizers']],
  [
    'Pod',
    'spec.containers.0.volumeMounts.0.mountPropagation',
    'x',
    ['NotSupported spec.containers[0].volumeMounts.mountPropagation'],
  ],
  [
    'Pod',
    'spec.containers.0.envFrom',
    [{ configMapRef: { name: 'A' } }],
    ['Invalid spec.containers[0].envFrom[0].configMapRef.name'],
  ],
  [
    'Pod',
    'spec.affinity',
    { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ preference: {} }] } },
    ['Invalid spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight'],
  ],
  ['Pod', 'spec.schedulingGates', [{ name: 'a' }, { name: 'a' }], ['Duplicate spec.schedulingGates[1]']],
  [
    'PodDisruptionBudget',
    'spec.unhealthyPodEvictionPolicy',
    'x',
    ['NotSupported spec.unhealthyPodEvictionPolicy'],
  ],
  ['ValidatingWebhookConfiguration', 'webhooks.0.matchPolicy', '', ['NotSupported webhooks[0].matchPolicy']],
  ['Event', 'metadata.name', undefined, ['Required metadata.name']],
];

function changed(object: JsonObject, path: string, value: unknown): JsonObject {
  const copy = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
  const steps = path.split('.');
  let place: Record<string, unknown> = copy;
  for (const step of steps.slice(0, -1)) place = place[step] as Record<string, unknown>;
  place[steps.at(-1) ?? ''] = value;
  return copy as JsonObject;
}

const good = (kind: keyof typeof KINDS): JsonObject => ({
  metadata: { name: kind.toLowerCase() },
  ...KINDS[kind].object,
});

describe('built-in kinds', () => {
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[])
    test(`a good ${kind} is taken`, async () => {
      const { code, body } = await client.send('POST', `${KINDS[kind].path}?dryRun=All`, good(kind));
      assert.equal(code, 201, stringAt(body, 'message'));
    });

  for (const [kind, path, value, causes] of REFUSALS)
    test(`${kind}: ${path} ${JSON.stringify(value) ?? 'is missing'}`, async () => {
      const { code, body } = await client.send(
        'POST',
        `${KINDS[kind].path}?dryRun=All`,
        changed(good(kind), path, value),
      );
      assert.equal(code, 422, stringAt(body, 'message'));
      assert.deepEqual(
        arrayAt(body, 'details', 'causes')
          .map(
            (cause) => `${stringAt(cause, 'reason').replace('FieldValue', '')} ${stringAt(cause, 'field')}`,
          )
          .toSorted(),
        causes.toSorted(),
      );
    });

  test('a number that no port, count or share can be is refused before it is looked at', async () => {
    for (const [kind, path, value] of [
      ['PodDisruptionBudget', 'spec.minAvailable', 1.5],
      ['HorizontalPodAutoscaler', 'spec.maxReplicas', 2 ** 31],
    ] as const) {
      const { code, body } = await client.send('POST', KINDS[kind].path, changed(good(kind), path, value));
      assert.equal(code, 400);
      assert.match(stringAt(body, 'message'), /cannot unmarshal number .* of type int32/);
    }
  });

  test("a Node's two fields of its network are one", async () => {
    const { body } = await client.send('POST', `${KINDS.Node.path}?dryRun=All`, good('Node'));
    assert.deepEqual(at(body, 'spec', 'podCIDRs'), ['10.1.0.0/24']);
  });

  test('who says something of how to scale gets the rest by default', async () => {
    const { path } = KINDS.HorizontalPodAutoscaler;
    const { body } = await client.send('POST', `${path}?dryRun=All`, good('HorizontalPodAutoscaler'));
    assert.equal(at(body, 'spec', 'behavior', 'scaleUp', 'selectPolicy'), 'Max');
    assert.equal(arrayAt(body, 'spec', 'behavior', 'scaleUp', 'policies').length, 2);
  });
});

describe('kinds that are replaced by version only', () => {
  test('PUT without a version is refused, PUT with one and PATCH are not', async () => {
    const { path } = KINDS.PodDisruptionBudget;
    const made = await client.send('POST', path, good('PodDisruptionBudget'));
    assert.equal(made.code, 201);
    const item = `${path}/poddisruptionbudget`;
    const blind = await client.send('PUT', item, good('PodDisruptionBudget'));
    assert.equal(blind.code, 422);
    assert.deepEqual(
      arrayAt(blind.body, 'details', 'causes').map((cause) => stringAt(cause, 'field')),
      ['metadata.resourceVersion'],
    );
    assert.equal((await client.send('PUT', item, made.body)).code, 200);
    const merged = await client.send(
      'PATCH',
      item,
      { spec: { selector: { matchExpressions: [{ key: 'x', operator: 'Exists' }] } } },
      { 'content-type': 'application/strategic-merge-patch+json' },
    );
    // A budget's selector is replaced as a whole.
    assert.deepEqual(at(merged.body, 'spec', 'selector'), {
      matchExpressions: [{ key: 'x', operator: 'Exists' }],
    });
  });

  test('PUT without a name is refused', async () => {
    const reply = await client.send('PUT', `${NAMESPACE}/configmaps/x`, { metadata: {} });
    assert.equal(reply.code, 400);
    assert.match(stringAt(reply.body, 'message'), /name must be provided/);
  });
});
