/** The default RBAC objects: who may do what before anybody grants anything. */
import type { JsonObject } from '../wire/json.ts';

const GROUP = 'rbac.authorization.k8s.io';
const API = `${GROUP}/v1`;
const LABEL = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const ANNOTATION = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' };

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];

const rule = (
  apiGroups: readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
): Rule => ({ apiGroups, resources, verbs });

function clusterRole(name: string, rules: readonly Rule[], labels: Record<string, string> = {}): JsonObject {
  return {
    apiVersion: API,
    kind: 'ClusterRole',
    metadata: { name, labels: { ...LABEL, ...labels }, annotations: ANNOTATION },
    rules: rules.map((r) => ({ ...r }) as unknown as JsonObject),
  };
}

function aggregated(name: string, label: string, labels: Record<string, string> = {}): JsonObject {
  return {
    ...clusterRole(name, [], labels),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
  };
}

function bind(
  name: string,
  role: string,
  subjects: readonly (readonly ['User' | 'Group', string])[],
): JsonObject {
  return {
    apiVersion: API,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: LABEL, annotations: ANNOTATION },
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role },
    subjects: subjects.map(([kind, subject]) => ({ kind, apiGroup: GROUP, name: subject })),
  };
}

const AGGREGATE = (to: string): string => `rbac.authorization.k8s.io/aggregate-to-${to}`;

const VIEWED: readonly Rule[] = [
  rule(
    [''],
    [
      'configmaps',
      'endpoints',
      'persistentvolumeclaims',
      'persistentvolumeclaims/status',
      'pods',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'serviceaccounts',
      'services',
      'services/status',
    ],
    READ,
  ),
  rule(
    [''],
    [
      'bindings',
      'events',
      'limitranges',
      'namespaces/status',
      'pods/log',
      'pods/status',
      'replicationcontrollers/status',
      'resourcequotas',
      'resourcequotas/status',
    ],
    READ,
  ),
  rule([''], ['namespaces'], READ),
  rule(['discovery.k8s.io'], ['endpointslices'], READ),
  rule(
    ['apps'],
    [
      'controllerrevisions',
      'daemonsets',
      'daemonsets/status',
      'deployments',
      'deployments/scale',
      'deployments/status',
      'replicasets',
      'replicasets/scale',
      'replicasets/status',
      'statefulsets',
      'statefulsets/scale',
      'statefulsets/status',
    ],
    READ,
  ),
  rule(['autoscaling'], ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'], READ),
  rule(['batch'], ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status'], READ),
  rule(['policy'], ['poddisruptionbudgets', 'poddisruptionbudgets/status'], READ),
  rule(['networking.k8s.io'], ['ingresses', 'ingresses/status', 'networkpolicies'], READ),
];

const EDITED: readonly Rule[] = [
  rule(
    [''],
    ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy'],
    READ,
  ),
  rule([''], ['serviceaccounts'], ['impersonate']),
  rule([''], ['pods', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy'], WRITE),
  rule([''], ['pods/eviction'], ['create']),
  rule(
    [''],
    [
      'configmaps',
      'events',
      'persistentvolumeclaims',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'secrets',
      'serviceaccounts',
      'services',
      'services/proxy',
    ],
    WRITE,
  ),
  rule([''], ['serviceaccounts/token'], ['create']),
  rule(
    ['apps'],
    [
      'daemonsets',
      'deployments',
      'deployments/rollback',
      'deployments/scale',
      'replicasets',
      'replicasets/scale',
      'statefulsets',
      'statefulsets/scale',
    ],
    WRITE,
  ),
  rule(['autoscaling'], ['horizontalpodautoscalers'], WRITE),
  rule(['batch'], ['cronjobs', 'jobs'], WRITE),
  rule(['policy'], ['poddisruptionbudgets'], WRITE),
  rule(['networking.k8s.io'], ['ingresses', 'networkpolicies'], WRITE),
];

const ADMINISTERED: readonly Rule[] = [
  rule(['authorization.k8s.io'], ['localsubjectaccessreviews'], ['create']),
  rule([GROUP], ['rolebindings', 'roles'], [...READ, ...WRITE]),
];

const DISCOVERY = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
];
const PUBLIC = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

/** The caches that all controllers share. Each writes under an account of its own, with a role of its own. */
const CONTROLLERS: readonly Rule[] = [rule(['*'], ['*'], ['list', 'watch'])];

export function defaultRoles(): JsonObject[] {
  return [
    clusterRole('cluster-admin', [rule(['*'], ['*'], ['*']), { nonResourceURLs: ['*'], verbs: ['*'] }]),
    clusterRole('system:discovery', [{ nonResourceURLs: DISCOVERY, verbs: ['get'] }]),
    clusterRole('system:public-info-viewer', [{ nonResourceURLs: PUBLIC, verbs: ['get'] }]),
    clusterRole('system:monitoring', [
      {
        nonResourceURLs: [
          '/healthz',
          '/healthz/*',
          '/livez',
          '/livez/*',
          '/metrics',
          '/metrics/slis',
          '/readyz',
          '/readyz/*',
        ],
        verbs: ['get'],
      },
    ]),
    clusterRole('system:basic-user', [
      rule(['authorization.k8s.io'], ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']),
      rule(['authentication.k8s.io'], ['selfsubjectreviews'], ['create']),
    ]),
    clusterRole('system:service-account-issuer-discovery', [
      {
        nonResourceURLs: [
          '/.well-known/openid-configuration',
          '/.well-known/openid-configuration/',
          '/openid/v1/jwks',
          '/openid/v1/jwks/',
        ],
        verbs: ['get'],
      },
    ]),
    clusterRole('system:auth-delegator', [
      rule(['authentication.k8s.io'], ['tokenreviews'], ['create']),
      rule(['authorization.k8s.io'], ['subjectaccessreviews'], ['create']),
    ]),
    clusterRole('system:node-proxier', [
      rule([''], ['endpoints', 'services', 'nodes'], READ),
      rule(['discovery.k8s.io'], ['endpointslices'], READ),
    ]),
    clusterRole('system:node', [
      rule(['authentication.k8s.io'], ['tokenreviews'], ['create']),
      rule(['authorization.k8s.io'], ['localsubjectaccessreviews', 'subjectaccessreviews'], ['create']),
      rule(
        [''],
        [
          'services',
          'configmaps',
          'secrets',
          'persistentvolumeclaims',
          'persistentvolumes',
          'endpoints',
          'serviceaccounts',
        ],
        READ,
      ),
      rule(
        [''],
        ['nodes', 'nodes/status', 'pods', 'pods/status', 'pods/eviction', 'events', 'serviceaccounts/token'],
        ['*'],
      ),
      rule(['coordination.k8s.io', 'storage.k8s.io', 'node.k8s.io', 'certificates.k8s.io'], ['*'], ['*']),
    ]),
    // It reads from the caches that it shares with the controllers.
    clusterRole('system:kube-scheduler', [
      rule([''], ['events'], ['create', 'patch']),
      rule([''], ['pods'], ['delete']),
      rule([''], ['pods/binding'], ['create']),
      rule([''], ['pods/status'], ['patch']),
    ]),
    clusterRole('system:kube-controller-manager', CONTROLLERS),
    aggregated('admin', AGGREGATE('admin')),
    aggregated('edit', AGGREGATE('edit'), { [AGGREGATE('admin')]: 'true' }),
    aggregated('view', AGGREGATE('view'), { [AGGREGATE('edit')]: 'true' }),
    clusterRole('system:aggregate-to-admin', ADMINISTERED, { [AGGREGATE('admin')]: 'true' }),
    clusterRole('system:aggregate-to-edit', EDITED, { [AGGREGATE('edit')]: 'true' }),
    clusterRole('system:aggregate-to-view', VIEWED, { [AGGREGATE('view')]: 'true' }),
    // As metrics-server brings it: who may see Pods may see what they use.
    clusterRole('system:aggregated-metrics-reader', [rule(['metrics.k8s.io'], ['pods', 'nodes'], READ)], {
      [AGGREGATE('view')]: 'true',
      [AGGREGATE('edit')]: 'true',
      [AGGREGATE('admin')]: 'true',
    }),
    bind('cluster-admin', 'cluster-admin', [['Group', 'system:masters']]),
    bind('system:monitoring', 'system:monitoring', [['Group', 'system:monitoring']]),
    bind('system:discovery', 'system:discovery', [['Group', 'system:authenticated']]),
    bind('system:basic-user', 'system:basic-user', [['Group', 'system:authenticated']]),
    bind('system:public-info-viewer', 'system:public-info-viewer', [
      ['Group', 'system:authenticated'],
      ['Group', 'system:unauthenticated'],
    ]),
    bind('system:service-account-issuer-discovery', 'system:service-account-issuer-discovery', [
      ['Group', 'system:serviceaccounts'],
    ]),
    // Nobody: what a node may is said by the node authorizer, object by object.
    bind('system:node', 'system:node', []),
    bind('system:kube-scheduler', 'system:kube-scheduler', [['User', 'system:kube-scheduler']]),
    bind('system:kube-controller-manager', 'system:kube-controller-manager', [
      ['User', 'system:kube-controller-manager'],
    ]),
  ];
}
