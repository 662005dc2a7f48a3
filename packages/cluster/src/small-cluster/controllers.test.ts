/** Controllers and scheduler against the real API server, as users see them. */
import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Condition, ConfigMap, KubernetesObject } from '@podvisor/api';
import { defineResource, type KubeClient, resources, stderrLog } from '@podvisor/kube';
import { resourceOf } from '@podvisor/virt-operator';
import { CONTROLLER_ACCOUNTS } from '@podvisor/workload-controllers';
import { bootstrapObjects } from '../bootstrap-objects/bootstrap-objects.ts';
import { installObjects } from '../bootstrap-objects/install.ts';
import { keepKubeVirtStatus } from '../bootstrap-objects/keep-status.ts';
import { addNode, eventually, podOf, type SmallCluster, startSmallCluster } from './testing/small-cluster.ts';

let cluster: SmallCluster;
const ns = 'team';
const clusterRoles = defineResource<KubernetesObject & { rules?: readonly object[] }>(
  'ClusterRole',
  'clusterroles',
  'rbac.authorization.k8s.io/v1',
);
const NODES = { nonResourceURLs: ['*'], verbs: ['get'] };
const facts = { kubevirtCa: 'CA', kvmUsable: false };

before(async () => {
  cluster = await startSmallCluster();
  const objects = bootstrapObjects(cluster.config, facts);
  assert.equal(await installObjects(cluster.client, objects, systemClock), objects.length);
  await addNode(cluster.client, 'node1');
});
after(() => cluster.close());

const gone = (
  kind: 'configMaps' | 'pods' | 'persistentVolumeClaims' | 'persistentVolumes',
  name: string,
): Promise<true> =>
  eventually(`${kind} ${name} gone`, async () => {
    const namespace = kind === 'persistentVolumes' ? undefined : ns;
    return (await cluster.client.find(resources[kind], { namespace, name })) === undefined;
  });

test('installing again writes nothing', async () =>
  assert.equal(
    await installObjects(cluster.client, bootstrapObjects(cluster.config, facts), systemClock),
    0,
  ));

const VALIDATOR = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'virt-api-validator' },
};

test('KubeVirt counts as deployed, and every generation of it is observed', async () => {
  using ending = new DisposableStack();
  const stop = ending.adopt(new AbortController(), (controller) => controller.abort());
  const { client } = cluster;
  await keepKubeVirtStatus({ client, clock: systemClock, log: stderrLog }, stop.signal);
  const key = { namespace: 'kubevirt', name: 'kubevirt' };
  const before = await client.get(resources.kubeVirts, key);
  assert.equal(before.status?.phase, 'Deployed');
  assert.equal(before.status?.observedGeneration, before.metadata?.generation);
  // virt-api does not run here.
  await client.delete(resourceOf(VALIDATOR), { name: VALIDATOR.metadata.name });
  const body = { spec: { configuration: { developerConfiguration: { logVerbosity: { virtAPI: 3 } } } } };
  await client.patch(resources.kubeVirts, key, { type: 'merge', body });
  await eventually('the change observed', async () => {
    const { metadata, status } = await client.get(resources.kubeVirts, key);
    return (
      metadata?.generation !== before.metadata?.generation &&
      status?.observedGeneration === metadata?.generation
    );
  });
});

test('a namespace gets its service account and the CA, also when they are deleted', async () => {
  const { client } = cluster;
  await client.create(resources.namespaces, { metadata: { name: ns } });
  const account = await eventually('default', () =>
    client.find(resources.serviceAccounts, { namespace: ns, name: 'default' }),
  );
  await eventually('CA', () =>
    client.find(resources.configMaps, { namespace: ns, name: 'kube-root-ca.crt' }),
  );
  await client.delete(resources.serviceAccounts, { namespace: ns, name: 'default' });
  await eventually('default again', async () => {
    const found = await client.find(resources.serviceAccounts, { namespace: ns, name: 'default' });
    return found !== undefined && found.metadata?.uid !== account.metadata?.uid;
  });
});

const scheduled = async (name: string): Promise<Condition | undefined> => {
  const pod = await cluster.client.get(resources.pods, { namespace: ns, name });
  return pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
};
const bound = (name: string): Promise<true> =>
  eventually(
    `${name} bound`,
    async () => (await cluster.client.get(resources.pods, { namespace: ns, name })).spec.nodeName === 'node1',
  );

test('a Pod is bound; one that does not fit says why, and is bound when the device arrives', async () => {
  const { client } = cluster;
  await client.create(resources.pods, podOf(ns, 'plain'));
  await bound('plain');
  const kvm = 'devices.kubevirt.io/kvm';
  const containers = [
    { name: 'c', image: 'i', resources: { limits: { [kvm]: '1' }, requests: { [kvm]: '1' } } },
  ];
  await client.create(resources.pods, podOf(ns, 'vm', { containers }));
  const condition = await eventually('reason', () => scheduled('vm'));
  assert.equal(condition.status, 'False');
  assert.equal(condition.reason, 'Unschedulable');
  assert.match(
    condition.message ?? '',
    /^0\/1 nodes are available: 1 Insufficient devices\.kubevirt\.io\/kvm\. preemption: /,
  );
  await eventually('event', async () => {
    const { items } = await client.list(resources.events, { namespace: ns });
    return items.some((event) => JSON.stringify(event).includes('FailedScheduling'));
  });
  const body = { status: { allocatable: { [kvm]: '1000' } } };
  await client.patch(resources.nodes, { name: 'node1' }, { type: 'merge', subresource: 'status', body });
  await bound('vm');
});

for (const volumeMode of ['Filesystem', 'Block'] as const) {
  test(`a claim (${volumeMode}) gets a volume, keeps it while a Pod uses it, and takes the data along`, async () => {
    const { client } = cluster;
    const name = `data-${volumeMode.toLowerCase()}`;
    const spec = { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage: '64Mi' } } };
    await client.create(resources.persistentVolumeClaims, { metadata: { namespace: ns, name }, spec });
    const claim = await eventually('bound', async () => {
      const found = await client.get(resources.persistentVolumeClaims, { namespace: ns, name });
      return found.status?.phase === 'Bound' ? found : undefined;
    });
    const volume = await client.get(resources.persistentVolumes, { name: claim.spec.volumeName ?? '' });
    const path = volume.spec.local?.path ?? '';
    assert.ok(existsSync(path), path);
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: name } }];
    await client.create(resources.pods, podOf(ns, `uses-${name}`, { volumes }));
    await bound(`uses-${name}`);
    await client.create(resources.persistentVolumeClaims, {
      metadata: { namespace: ns, name: `idle-${name}` },
      spec,
    });
    await client.delete(resources.persistentVolumeClaims, { namespace: ns, name });
    await client.delete(resources.persistentVolumeClaims, { namespace: ns, name: `idle-${name}` });
    // Whoever let the later one go has looked at the earlier one before.
    await gone('persistentVolumeClaims', `idle-${name}`);
    assert.ok(await client.find(resources.persistentVolumeClaims, { namespace: ns, name }), 'still in use');
    await client.delete(resources.pods, { namespace: ns, name: `uses-${name}` }, { gracePeriodSeconds: 0 });
    await gone('persistentVolumeClaims', name);
    await gone('persistentVolumes', volume.metadata.name ?? '');
    assert.ok(!existsSync(path), 'data is gone');
  });
}

async function family(prefix: string): Promise<string[]> {
  const names: string[] = [];
  let owner: ConfigMap | undefined;
  for (const name of ['owner', 'child', 'grandchild'].map((role) => `${prefix}-${role}`)) {
    const ownerReferences =
      owner?.metadata === undefined
        ? []
        : [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              name: owner.metadata.name ?? '',
              uid: owner.metadata.uid ?? '',
              blockOwnerDeletion: true,
            },
          ];
    owner = await cluster.client.create(resources.configMaps, {
      metadata: { namespace: ns, name, ownerReferences },
    });
    names.push(name);
  }
  return names;
}

for (const propagationPolicy of ['Background', 'Foreground'] as const) {
  test(`${propagationPolicy} deletion takes the whole family`, async () => {
    const names = await family(propagationPolicy.toLowerCase());
    await cluster.client.delete(
      resources.configMaps,
      { namespace: ns, name: names[0] ?? '' },
      { propagationPolicy },
    );
    for (const name of names) await gone('configMaps', name);
  });
}

test('the queues of controllers are measured beside the API server', async () => {
  const { body } = await cluster.client.stream({ method: 'GET', path: '/metrics' });
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk as Uint8Array));
  const text = Buffer.concat(chunks).toString('utf8');
  assert.match(text, /^kubevirt_workqueue_adds_total\{name="garbage-collector"\} [1-9]/m);
  assert.match(text, /^kubevirt_workqueue_depth\{name="namespace"\} \d/m);
});

test('orphans stay, without an owner', async () => {
  const [owner = '', child = '', grandchild = ''] = await family('orphan');
  await cluster.client.delete(
    resources.configMaps,
    { namespace: ns, name: owner },
    { propagationPolicy: 'Orphan' },
  );
  await gone('configMaps', owner);
  const kept = await cluster.client.get(resources.configMaps, { namespace: ns, name: child });
  assert.deepEqual(kept.metadata?.ownerReferences ?? [], []);
  assert.ok(await cluster.client.find(resources.configMaps, { namespace: ns, name: grandchild }));
});

test('an object whose owner never existed goes; one whose kind is not served stays', async () => {
  const { client } = cluster;
  const owned = (name: string, apiVersion: string, kind: string): ConfigMap => ({
    metadata: {
      namespace: ns,
      name,
      ownerReferences: [{ apiVersion, kind, name: 'nobody', uid: 'no-such-uid' }],
    },
  });
  await client.create(resources.configMaps, owned('unknown-owner', 'example.io/v1', 'Unheard'));
  await client.create(resources.configMaps, owned('absent-owner', 'v1', 'ConfigMap'));
  await gone('configMaps', 'absent-owner');
  assert.ok(await client.find(resources.configMaps, { namespace: ns, name: 'unknown-owner' }));
});

test('a NoExecute taint evicts', async () => {
  const { client } = cluster;
  await client.create(resources.pods, podOf(ns, 'evicted'));
  await bound('evicted');
  await client.patch(
    resources.nodes,
    { name: 'node1' },
    { type: 'merge', body: { spec: { taints: [{ key: 'drain', effect: 'NoExecute' }] } } },
  );
  await eventually('evicted', async () => {
    const pod = await client.find(resources.pods, { namespace: ns, name: 'evicted' });
    return pod === undefined || pod.metadata.deletionTimestamp !== undefined;
  });
  await client.patch(resources.nodes, { name: 'node1' }, { type: 'merge', body: { spec: { taints: [] } } });
});

test('a namespace goes with all that is in it, and says what it waits for', async () => {
  const { client } = cluster;
  const metadata = { namespace: ns, name: 'held', finalizers: ['example.io/hold'] };
  await client.create(resources.configMaps, { metadata });
  await client.delete(resources.namespaces, { name: ns });
  await eventually('condition', async () => {
    const namespace = await client.get(resources.namespaces, { name: ns });
    return namespace.status?.conditions?.some(
      ({ message }) => message?.includes('example.io/hold in 1 resource instances') === true,
    );
  });
  await client.patch(
    resources.configMaps,
    { namespace: ns, name: 'held' },
    { type: 'merge', body: { metadata: { finalizers: [] } } },
  );
  await eventually('namespace gone', async () => {
    // Here nobody plays the kubelet that ends Pods.
    for (const pod of (await client.list(resources.pods, { namespace: ns })).items) {
      await client
        .delete(resources.pods, { namespace: ns, name: pod.metadata.name ?? '' }, { gracePeriodSeconds: 0 })
        .catch(() => undefined);
    }
    return (await client.find(resources.namespaces, { name: ns })) === undefined;
  });
});

test('controllers and scheduler have their own rights, which make nobody more powerful', async () => {
  const { controllers, controllerClient, scheduler, client } = cluster;
  const collector = controllerClient('generic-garbage-collector');
  const may = async (who: KubeClient, verb: string, group: string, resource: string): Promise<boolean> => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const spec = { resourceAttributes: { verb, group, resource, namespace: ns } };
    const body = JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec,
    });
    const headers = { 'content-type': 'application/json' };
    const review = await who.request<{ status: { allowed: boolean } }>({
      method: 'POST',
      path,
      body,
      headers,
    });
    return review.status.allowed;
  };
  for (const [verb, group, resource] of [
    ['create', 'rbac.authorization.k8s.io', 'clusterrolebindings'],
    ['escalate', 'rbac.authorization.k8s.io', 'clusterroles'],
    ['create', '', 'secrets'],
    ['create', '', 'serviceaccounts/token'],
    ['impersonate', '', 'users'],
    ['create', '', 'pods/exec'],
    ['create', 'admissionregistration.k8s.io', 'validatingwebhookconfigurations'],
    ['create', 'certificates.k8s.io', 'certificatesigningrequests'],
    ['create', 'kubevirt.io', 'virtualmachines'],
  ] as const) {
    assert.equal(await may(controllers, verb, group, resource), false, `controllers ${verb} ${resource}`);
    for (const account of CONTROLLER_ACCOUNTS)
      assert.equal(
        await may(controllerClient(account), verb, group, resource),
        false,
        `${account} ${verb} ${resource}`,
      );
    assert.equal(await may(scheduler, verb, group, resource), false, `scheduler ${verb} ${resource}`);
    assert.equal(await may(client, verb, group, resource), true);
  }
  assert.equal(await may(collector, 'delete', 'kubevirt.io', 'virtualmachines'), true);
  for (const verb of ['get', 'create', 'update', 'patch', 'delete', 'deletecollection'])
    assert.equal(await may(controllers, verb, '', 'pods'), false, `the caches' reader: ${verb}`);
  // One controller each, and what belongs to another.
  for (const [account, verb, group, resource] of [
    ['replicaset-controller', 'create', '', 'persistentvolumeclaims'],
    ['deployment-controller', 'create', '', 'pods'],
    ['namespace-controller', 'patch', '', 'pods'],
    ['persistent-volume-binder', 'delete', '', 'pods'],
    ['node-controller', 'delete', '', 'nodes'],
    ['service-controller', 'update', '', 'services'],
    ['horizontal-pod-autoscaler', 'patch', 'apps', 'deployments'],
    ['job-controller', 'get', '', 'secrets'],
    ['endpoint-controller', 'update', '', 'services/status'],
  ] as const)
    assert.equal(
      await may(controllerClient(account), verb, group, resource),
      false,
      `${account} ${verb} ${resource}`,
    );
  assert.equal(await may(scheduler, 'list', '', 'secrets'), false);
  assert.equal(await may(scheduler, 'create', '', 'pods'), false);
  assert.equal(await may(scheduler, 'create', '', 'pods/binding'), true);
  const role = { metadata: { name: 'more' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };
  await client.create(clusterRoles, role);
  const wider = { type: 'merge', body: { rules: [...role.rules, NODES] } } as const;
  await assert.rejects(collector.patch(clusterRoles, { name: 'more' }, wider), {
    reason: 'Forbidden',
  });
});
