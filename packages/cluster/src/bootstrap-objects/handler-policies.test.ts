import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { crdFor, handlerPolicies, labels, type VirtualMachineInstance, type VMIStatus } from '@podvisor/api';
import { deepEqual, isStatus, systemClock } from '@podvisor/base';
import { fixedCredentials, issueCertificate, KubeClient, resources } from '@podvisor/kube';
import { startTestServer, type TestServer } from '../../../apiserver/src/testing/test-server.ts';
import { installObjects } from './install.ts';
import { NAMESPACE } from '../pki-bootstrap/identities.ts';
import { type Manifest, rbacObjects } from '@podvisor/virt-operator';

const HANDLER = `system:serviceaccount:${NAMESPACE}:kubevirt-handler`;
const GROUPS = ['system:serviceaccounts', `system:serviceaccounts:${NAMESPACE}`];
/** How virt-handler may show who it is. */
const WAYS = ['certificate', 'token'] as const;
type Way = (typeof WAYS)[number];

let home: TestServer;
let admin: KubeClient;
const handlers = new Map<string, KubeClient>();

function clientOf(access: Partial<Parameters<typeof fixedCredentials>[0]>): KubeClient {
  const credentials = fixedCredentials({ server: home.server.url, ca: home.ca.certificate, ...access });
  return new KubeClient({ credentials, userAgent: 'test' });
}

function certificateOf(
  commonName: string,
  organizations: readonly string[],
  units: readonly string[],
): KubeClient {
  const { certificate, key } = issueCertificate(home.ca, {
    commonName,
    organizations,
    organizationalUnits: units,
    usages: ['client'],
    now: Date.now(),
  });
  return clientOf({ certificate, key });
}

async function tokenOf(
  pod: { readonly name: string; readonly uid: string | undefined } | undefined,
): Promise<KubeClient> {
  const { status } = await admin.request<{ status: { token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/kubevirt-handler/token`,
    body: JSON.stringify(
      pod === undefined ? {} : { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...pod } } },
    ),
  });
  return clientOf({ token: status.token });
}

/** The policies hold whatever the way of writing is; virt-handler itself has no right to patch VMIs, here it has. */
const PATCHES: readonly Manifest[] = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'test:patches' },
    rules: [{ apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['patch'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'test:patches' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'test:patches' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: HANDLER }],
  },
];

/** Of node `one`, or of no node. */
const handler = (way: Way, node: 'one' | 'none' = 'one'): KubeClient => {
  const client = handlers.get(`${way} ${node}`);
  assert.ok(client !== undefined);
  return client;
};

const vmi = (name: string, status: VMIStatus): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: {
    name,
    namespace: 'tenant',
    labels: { [labels.nodeName]: status.nodeName ?? '', app: 'x' },
    finalizers: ['foregroundDeleteVirtualMachine'],
  },
  spec: { domain: { devices: {}, cpu: { sockets: 1 } } },
  status: { phase: 'Running', activePods: { uid: 'one' }, ...status },
});
const MOVING = { migrationUid: 'm', sourceNode: 'two', targetNode: 'one', targetPod: 'p' };

before(async () => {
  home = await startTestServer();
  admin = certificateOf('admin', ['system:masters'], []);
  for (const name of [NAMESPACE, 'tenant']) await admin.create(resources.namespaces, { metadata: { name } });
  const objects = [
    crdFor('VirtualMachineInstance'),
    crdFor('VirtualMachineInstanceMigration'),
    crdFor('KubeVirt'),
  ];
  await installObjects(
    admin,
    [...objects, ...handlerPolicies(NAMESPACE), ...rbacObjects('kubevirt', true), ...PATCHES].map(
      (object): Manifest => ({ ...object }),
    ),
    systemClock,
  );
  for (const name of ['one', 'two']) await admin.create(resources.nodes, { metadata: { name } });
  const pod = await admin.create(resources.pods, {
    metadata: { name: 'virt-handler-x', namespace: NAMESPACE },
    spec: {
      nodeName: 'one',
      serviceAccountName: 'kubevirt-handler',
      containers: [{ name: 'virt-handler', image: 'i' }],
    },
  });
  handlers.set('certificate one', certificateOf(HANDLER, GROUPS, ['node:one']));
  handlers.set('certificate none', certificateOf(HANDLER, GROUPS, []));
  handlers.set('token one', await tokenOf({ name: 'virt-handler-x', uid: pod.metadata.uid }));
  handlers.set('token none', await tokenOf(undefined));
  for (const object of [
    vmi('own', { nodeName: 'one' }),
    vmi('other', { nodeName: 'two' }),
    vmi('coming', { nodeName: 'two', migrationState: MOVING }),
    vmi('started', {
      nodeName: 'two',
      migrationState: { ...MOVING, startTimestamp: '2026-01-01T00:00:00Z' },
    }),
    vmi('dying', { nodeName: 'two' }),
  ])
    await admin.create(resources.virtualMachineInstances, object);
  await admin.delete(resources.virtualMachineInstances, { namespace: 'tenant', name: 'dying' });
  await admin.create(resources.leases, { metadata: { name: 'virt-controller', namespace: NAMESPACE } });
});
after(async () => {
  for (const client of [admin, ...handlers.values()]) await client.close();
  await home[Symbol.asyncDispose]();
});

/** Tries a change without making it; the answer's message when it is refused. */
async function attempt(
  client: KubeClient,
  path: string,
  body: object,
  method = 'PATCH',
): Promise<string | undefined> {
  try {
    await client.request({
      method: method as 'PATCH',
      path: `${path}?dryRun=All`,
      body: JSON.stringify(body),
      ...(method === 'PATCH' ? { headers: { 'content-type': 'application/merge-patch+json' } } : {}),
    });
    return undefined;
  } catch (error) {
    if (!isStatus(error, 'Forbidden')) throw error;
    return error instanceof Error ? error.message : '';
  }
}
const VMIS = '/apis/kubevirt.io/v1/namespaces/tenant/virtualmachineinstances';
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
const status = (change: object): object => ({ status: change });
const lease = (name: string): object => ({ metadata: { name, namespace: NAMESPACE } });

/** What it writes all day. */
const OWN_WORK: readonly (readonly [what: string, path: string, body: object, method?: 'POST'])[] = [
  ['status of its VMI', `${VMIS}/own`, status({ phase: 'Succeeded', guestOSInfo: { name: 'x' } })],
  ['its annotations', `${VMIS}/own`, { metadata: { annotations: { 'podvisor.io/handoffs': '{}' } } }],
  ['where a target listens', `${VMIS}/coming`, status({ migrationState: { targetNodeAddress: '10.0.0.1' } })],
  [
    'the take-over',
    `${VMIS}/started`,
    { metadata: { labels: { [labels.nodeName]: 'one' } }, ...status({ nodeName: 'one', phase: 'Running' }) },
  ],
  [
    'labels of its Node',
    '/api/v1/nodes/one',
    { metadata: { labels: { 'kubevirt.io/schedulable': 'true', 'cpu-model.node.kubevirt.io/x': 'true' } } },
  ],
  ['its heartbeat', '/api/v1/nodes/one', { metadata: { annotations: { 'kubevirt.io/heartbeat': 'now' } } }],
  ['its Lease', LEASES, lease('virt-handler-one'), 'POST'],
];

const MIGRATIONS: readonly (readonly [what: string, path: string, body: object])[] = [
  ['sends its VMI to another node', `${VMIS}/own`, status({ nodeName: 'two' })],
  ['names a target for its VMI', `${VMIS}/own`, status({ migrationState: { targetNode: 'two' } })],
  ['asks for evacuation of its VMI', `${VMIS}/own`, status({ evacuationNodeName: 'one' })],
  ['asks for evacuation of another', `${VMIS}/other`, status({ evacuationNodeName: 'two' })],
  ['takes another node’s VMI', `${VMIS}/other`, status({ nodeName: 'one' })],
  ['draws another node’s VMI to itself', `${VMIS}/other`, status({ migrationState: MOVING })],
  ['takes over before the migration has started', `${VMIS}/coming`, status({ nodeName: 'one' })],
  [
    'says that the source has started',
    `${VMIS}/coming`,
    status({ migrationState: { startTimestamp: '2026-01-01T00:00:00Z' } }),
  ],
  [
    'sends an arriving VMI on',
    `${VMIS}/started`,
    status({ nodeName: 'two', migrationState: { targetNode: 'three' } }),
  ],
  [
    'changes the target of an arriving VMI',
    `${VMIS}/coming`,
    status({ migrationState: { targetNode: 'three' } }),
  ],
  ['aborts a migration', `${VMIS}/coming`, status({ migrationState: { abortRequested: true } })],
];
const GUESTS: readonly (readonly [what: string, path: string, body: object])[] = [
  ['changes another node’s VMI', `${VMIS}/other`, status({ phase: 'Failed' })],
  ['changes another node’s VMI while it is deleted', `${VMIS}/dying`, status({ phase: 'Failed' })],
  ['changes the CPUs of another', `${VMIS}/other`, { spec: { domain: { cpu: { sockets: 2 } } } }],
  ['changes the CPUs of its own', `${VMIS}/own`, { spec: { domain: { cpu: { sockets: 2 } } } }],
  ['ends a guest that is still on its source', `${VMIS}/coming`, status({ phase: 'Failed' })],
  ['says which Pods are a VMI’s', `${VMIS}/own`, status({ activePods: { evil: 'one' } })],
  ['relabels its VMI', `${VMIS}/own`, { metadata: { labels: { app: 'y' } } }],
  ['moves its VMI by a label', `${VMIS}/own`, { metadata: { labels: { [labels.nodeName]: 'two' } } }],
  ['takes finalizers off', `${VMIS}/own`, { metadata: { finalizers: [] } }],
  [
    'takes an owner',
    `${VMIS}/own`,
    { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] } },
  ],
  ['annotates its VMI', `${VMIS}/own`, { metadata: { annotations: { other: 'x' } } }],
];
const NODES: readonly (readonly [what: string, path: string, body: object])[] = [
  [
    'labels another Node',
    '/api/v1/nodes/two',
    { metadata: { labels: { 'kubevirt.io/schedulable': 'false' } } },
  ],
  ['taints another Node', '/api/v1/nodes/two', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }],
  ['cordons another Node', '/api/v1/nodes/two', { spec: { unschedulable: true } }],
  ['taints its own Node', '/api/v1/nodes/one', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }],
  [
    'gives its Node a role',
    '/api/v1/nodes/one',
    { metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } } },
  ],
  ['annotates its Node', '/api/v1/nodes/one', { metadata: { annotations: { other: 'x' } } }],
  ['writes another Node’s status', '/api/v1/nodes/two/status', status({ capacity: { cpu: '99' } })],
  ['writes its own Node’s status', '/api/v1/nodes/one/status', status({ capacity: { cpu: '99' } })],
];
const LEASE_ATTACKS: readonly (readonly [what: string, path: string, body: object, method?: 'POST'])[] = [
  ['takes virt-controller’s Lease', `${LEASES}/virt-controller`, { spec: { holderIdentity: 'evil' } }],
  ['makes another node’s Lease', LEASES, lease('virt-handler-two'), 'POST'],
];

for (const way of WAYS)
  describe(`virt-handler of node one, by ${way}`, () => {
    test('does its own work', async () => {
      for (const [what, path, body, method] of OWN_WORK)
        assert.equal(await attempt(handler(way), path, body, method), undefined, what);
    });
    const refused = async (
      attacks: readonly (readonly [what: string, path: string, body: object, method?: 'POST'])[],
    ): Promise<void> => {
      for (const [what, path, body, method] of attacks)
        assert.match(
          (await attempt(handler(way), path, body, method)) ?? 'it was allowed',
          /denied|forbidden/,
          what,
        );
    };
    test('CVE-2025-64436: moves no guest, neither away nor to itself', async () => {
      await refused(MIGRATIONS);
      const migrations = '/apis/kubevirt.io/v1/namespaces/tenant/virtualmachineinstancemigrations';
      const migration = { metadata: { name: 'm' }, spec: { vmiName: 'other' } };
      assert.match((await attempt(handler(way), migrations, migration, 'POST')) ?? '', /forbidden/);
    });
    test('CVE-2023-26484: changes no other Node, and of its own only what it is there for', () =>
      refused(NODES));
    test('CVE-2024-33394: reads no Secret anywhere', async () => {
      for (const path of [
        '/api/v1/secrets',
        '/api/v1/namespaces/kubevirt/secrets',
        '/api/v1/namespaces/tenant/secrets/x',
      ])
        assert.equal(
          await handler(way)
            .request({ method: 'GET', path })
            .then(
              () => false,
              (error: unknown) => isStatus(error, 'Forbidden'),
            ),
          true,
          path,
        );
      const token = '/api/v1/namespaces/kubevirt/serviceaccounts/kubevirt-controller/token';
      assert.match((await attempt(handler(way), token, {}, 'POST')) ?? '', /forbidden/);
    });
    test('changes no other guest, and no spec', () => refused(GUESTS));
    test('keeps no other Lease', () => refused(LEASE_ATTACKS));
    test('with a credential that names no node it writes nothing at all', async () => {
      for (const [what, path, body, method] of OWN_WORK)
        assert.match(
          (await attempt(handler(way, 'none'), path, body, method)) ?? 'it was allowed',
          /names no node/,
          what,
        );
    });
  });

test('nobody else is held up', async () => {
  for (const [what, path, body] of [...MIGRATIONS, ...NODES])
    assert.equal(await attempt(admin, path, body), undefined, what);
});

test('the policies are whole: every verb of virt-handler’s role that writes is under one', () => {
  const roles = rbacObjects('kubevirt', true).filter(
    ({ kind, metadata }) =>
      ['ClusterRole', 'Role'].includes(kind ?? '') && metadata?.name === 'kubevirt-handler',
  ) as unknown as { rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[] }[];
  const rules = roles.flatMap((role) => role.rules);
  const written = rules
    .filter(({ verbs }) => verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)))
    .flatMap(({ apiGroups, resources: names }) => names.map((name) => `${apiGroups.join()}/${name}`))
    .sort();
  // Events, and questions that store nothing, are anybody's who may ask.
  const free = ['/events', 'authentication.k8s.io/tokenreviews', 'authorization.k8s.io/subjectaccessreviews'];
  const bound = ['/nodes', 'coordination.k8s.io/leases', 'kubevirt.io/virtualmachineinstances'];
  assert.ok(deepEqual(written, [...free, ...bound].sort()), written.join());
});
