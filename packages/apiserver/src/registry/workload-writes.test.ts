/** Refusals of a kube-apiserver: workloads, Ingresses and roles. */
import { refusedWrites } from '../testing/refused-writes.ts';

const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const selector = { matchLabels: { a: 'b' } };
const apps = '/apis/apps/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const networking = '/apis/networking.k8s.io/v1';
const backend = { service: { name: 's', port: { number: 80 } } };
const KINDS = {
  DaemonSet: { path: `${apps}/daemonsets`, object: { spec: { selector, template } } },
  Deployment: { path: `${apps}/deployments`, object: { spec: { selector, template } } },
  Job: { path: `${batch}/jobs`, object: { spec: { template: once } } },
  CronJob: {
    path: `${batch}/cronjobs`,
    object: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } } },
  },
  Ingress: {
    path: `${networking}/namespaces/default/ingresses`,
    object: {
      spec: { rules: [{ host: 'a.b', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
    },
  },
  IngressClass: { path: `${networking}/ingressclasses`, object: { spec: { controller: 'a.b/c' } } },
  ClusterRole: {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    object: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  },
};

refusedWrites(KINDS, [
  [
    'DaemonSet',
    'create',
    'spec.template.spec.activeDeadlineSeconds',
    5,
    ['Forbidden spec.template.spec.activeDeadlineSeconds'],
  ],
  ['DaemonSet', 'create', 'spec.template.metadata.labels.x', 'a b', ['Invalid spec.template.labels']],
  [
    'DaemonSet',
    'create',
    'spec.template.metadata.annotations',
    { 'a b': 'c' },
    ['Invalid spec.template.annotations'],
  ],
  ['DaemonSet', 'status', 'status.numberReady', -1, ['Invalid status.numberReady']],
  ['DaemonSet', 'status', 'status.currentNumberScheduled', -1, ['Invalid status.currentNumberScheduled']],
  ['DaemonSet', 'status', 'status.desiredNumberScheduled', -1, ['Invalid status.desiredNumberScheduled']],
  ['DaemonSet', 'status', 'status.collisionCount', -1, ['Invalid status.collisionCount']],
  ['DaemonSet', 'status', 'status.observedGeneration', -1, ['Invalid status.observedGeneration']],
  [
    'Deployment',
    'create',
    'spec.template.spec.activeDeadlineSeconds',
    5,
    ['Forbidden spec.template.spec.activeDeadlineSeconds'],
  ],
  ['Deployment', 'create', 'spec.template.metadata.labels.x', 'a b', ['Invalid spec.template.labels']],
  [
    'Deployment',
    'create',
    'spec.template.metadata.annotations',
    { 'a b': 'c' },
    ['Invalid spec.template.annotations'],
  ],
  ['Job', 'create', 'spec.completionMode', 'Foo', ['NotSupported spec.completionMode']],
  [
    'Job',
    'create',
    'spec',
    {
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
      },
      completionMode: 'Indexed',
      completions: 200000,
      parallelism: 200000,
    },
    ['Invalid spec.parallelism'],
  ],
  [
    'Job',
    'create',
    'spec.manualSelector',
    true,
    ['Invalid spec.template.metadata.labels', 'Required spec.selector'],
  ],
  ['Job', 'create', 'spec.backoffLimitPerIndex', 1, ['Invalid spec.backoffLimitPerIndex']],
  [
    'Job',
    'create',
    'spec.maxFailedIndexes',
    1,
    ['Invalid spec.maxFailedIndexes', 'Required spec.backoffLimitPerIndex'],
  ],
  ['Job', 'create', 'spec.managedBy', 'foo', ['Invalid spec.managedBy']],
  ['Job', 'create', 'spec.successPolicy', { rules: [] }, ['Invalid spec.successPolicy']],
  [
    'Job',
    'create',
    'spec.podFailurePolicy',
    { rules: [{ action: 'FailJob', onPodConditions: [{ type: 'x', status: 'Foo' }] }] },
    ['NotSupported spec.podFailurePolicy.rules[0].onPodConditions[0].status'],
  ],
  [
    'Job',
    'create',
    'spec.podFailurePolicy',
    { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }] },
    ['Invalid spec.podFailurePolicy.rules[0].action'],
  ],
  [
    'Job',
    'create',
    'spec.podFailurePolicy',
    {
      rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [0, 1, 1], containerName: 'zz' } }],
    },
    [
      'Duplicate spec.podFailurePolicy.rules[0].onExitCodes.values[2]',
      'Invalid spec.podFailurePolicy.rules[0].onExitCodes.containerName',
      'Invalid spec.podFailurePolicy.rules[0].onExitCodes.values[0]',
    ],
  ],
  ['Job', 'update', 'spec.managedBy', 'a.b/c', ['Invalid spec.managedBy']],
  [
    'CronJob',
    'create',
    'spec.jobTemplate.spec.manualSelector',
    true,
    ['NotSupported spec.jobTemplate.spec.manualSelector'],
  ],
  [
    'CronJob',
    'create',
    'spec.jobTemplate.spec.selector',
    { matchLabels: { a: 'b' } },
    ['Invalid spec.jobTemplate.spec.selector'],
  ],
  ['Ingress', 'create', 'spec.rules.0.host', '*.*.b', ['Invalid spec.rules[0].host']],
  [
    'Ingress',
    'create',
    'spec.rules.0.http.paths.0.path',
    '/a//b',
    ['Invalid spec.rules[0].http.paths[0].path'],
  ],
  [
    'Ingress',
    'create',
    'spec.rules.0.http.paths.0.path',
    '/a/../b',
    ['Invalid spec.rules[0].http.paths[0].path'],
  ],
  [
    'Ingress',
    'create',
    'spec.rules.0.http.paths.0.path',
    '/a%2fb',
    ['Invalid spec.rules[0].http.paths[0].path'],
  ],
  [
    'Ingress',
    'create',
    'spec.rules.0.http.paths.0.path',
    '/a/.',
    ['Invalid spec.rules[0].http.paths[0].path'],
  ],
  [
    'Ingress',
    'create',
    'spec.rules.0.http.paths.0.backend.service.port',
    { name: 'A_b' },
    ['Invalid spec.rules[0].http.paths[0].backend.service.port.name'],
  ],
  [
    'Ingress',
    'create',
    'spec.rules.0.http.paths.0.backend',
    { resource: {} },
    [
      'Required spec.rules[0].http.paths[0].backend.resource.kind',
      'Required spec.rules[0].http.paths[0].backend.resource.name',
    ],
  ],
  ['Ingress', 'create', 'spec.tls', [{ hosts: ['A'] }], ['Invalid spec.tls[0].hosts[0]']],
  [
    'Ingress',
    'create',
    'spec.tls',
    [{ hosts: ['*.a.b'], secretName: 'A' }],
    ['Invalid spec.tls[0].secretName'],
  ],
  ['Ingress', 'create', 'spec.ingressClassName', 'A', ['Invalid spec.ingressClassName']],
  ['IngressClass', 'create', 'spec.controller', 'A B/c', ['Invalid spec.controller']],
  [
    'IngressClass',
    'create',
    'spec.parameters',
    { kind: 'X', name: 'y', scope: 'Foo' },
    ['NotSupported spec.parameters.scope'],
  ],
  [
    'IngressClass',
    'create',
    'spec.parameters',
    { kind: 'X', name: 'y', scope: 'Namespace' },
    ['Required spec.parameters.namespace'],
  ],
  [
    'IngressClass',
    'create',
    'spec.parameters',
    { kind: 'X', name: 'y', scope: 'Cluster', namespace: 'z' },
    ['Forbidden spec.parameters.namespace'],
  ],
  ['ClusterRole', 'create', 'aggregationRule', {}, ['Required aggregationRule.clusterRoleSelectors']],
  [
    'ClusterRole',
    'create',
    'aggregationRule',
    { clusterRoleSelectors: [] },
    ['Required aggregationRule.clusterRoleSelectors'],
  ],
  [
    'Job',
    'create',
    'spec.selector',
    { matchLabels: { x: 'y' } },
    ['Invalid spec.selector', 'Invalid spec.template.metadata.labels'],
  ],
  ['Job', 'update', 'spec.template.spec.containers.0.image', 'z', ['Invalid spec.template']],
  [
    'IngressClass',
    'create',
    'spec.parameters',
    {},
    ['Required spec.parameters.kind', 'Required spec.parameters.name'],
  ],
]);
