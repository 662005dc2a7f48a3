import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { serviceResources } from '@podvisor/service-network';
import { addNode, eventually, type SmallCluster, startSmallCluster } from './testing/small-cluster.ts';
import { workloads } from '../../../workload-controllers/src/workloads/resources.ts';
import { template } from '../../../workload-controllers/src/testing/pods.ts';

/** The controllers on a real API server and scheduler; the test plays the kubelet. */
describe('workloads', { concurrency: 1 }, () => {
  let cluster: SmallCluster;
  let client: KubeClient;
  const namespace = 'default';
  const selector = { matchLabels: { app: 'web' } };
  const pods = async (): Promise<readonly Pod[]> =>
    (await client.list(resources.pods, { namespace, labelSelector: 'app=web' })).items;
  const makeReady = async (pod: Pod, ip: string): Promise<void> => {
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }];
    const body = { status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions } };
    await client.patch(
      resources.pods,
      { namespace, name: pod.metadata.name ?? '' },
      { type: 'merge', subresource: 'status', body },
    );
  };
  const allReady = async (count: number): Promise<readonly Pod[]> => {
    const found = await eventually(`${count} Pods`, async () => {
      const list = (await pods()).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      return list.length === count && list.every(({ spec }) => spec.nodeName === 'node1') && list;
    });
    await Promise.all(found.map((pod, i) => makeReady(pod, `10.88.0.${10 + i}`)));
    return found;
  };
  const deployment = () => client.get(workloads.deployments, { namespace, name: 'web' });

  before(async () => {
    cluster = await startSmallCluster();
    client = cluster.client;
    await addNode(client, 'node1');
    await eventually('the service account', () =>
      client.find(resources.serviceAccounts, { namespace, name: 'default' }),
    );
  });
  after(() => cluster.close());

  test('a Deployment makes a ReplicaSet makes Pods, and tells of it', async () => {
    await client.create(workloads.deployments, {
      metadata: { namespace, name: 'web' },
      spec: { replicas: 2, selector, template },
    });
    await client.create(serviceResources.services, {
      metadata: { namespace, name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    await allReady(2);
    const done = await eventually('the rollout is done', async () => {
      const found = await deployment();
      return found.status?.availableReplicas === 2 && found;
    });
    assert.equal(done.metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
    const progressing = done.status?.conditions?.find(({ type }) => type === 'Progressing');
    assert.equal(progressing?.reason, 'NewReplicaSetAvailable');
  });

  test('the Service has both addresses, in both forms', async () => {
    await eventually('two endpoints', async () => {
      const { items } = await client.list(serviceResources.endpointSlices, { namespace });
      const found = await client.find(serviceResources.endpoints, { namespace, name: 'web' });
      const ready = items
        .flatMap(({ endpoints }) => endpoints ?? [])
        .filter(({ conditions }) => conditions?.ready);
      return ready.length === 2 && found?.subsets?.[0]?.addresses?.length === 2;
    });
  });

  test('a Pod that is deleted is replaced, once', async () => {
    const [first] = await pods();
    await client.delete(
      resources.pods,
      { namespace, name: first?.metadata.name ?? '' },
      { gracePeriodSeconds: 0 },
    );
    const now = await allReady(2);
    assert.ok(now.every(({ metadata }) => metadata.uid !== first?.metadata.uid));
  });

  test('a new template is a new revision; the old set stays for undo', async () => {
    const body = { spec: { template: { metadata: { annotations: { again: '1' } } } } };
    await client.patch(workloads.deployments, { namespace, name: 'web' }, { type: 'merge', body });
    await eventually('two sets, the new one with all Pods', async () => {
      for (const pod of await pods()) {
        if (pod.metadata.deletionTimestamp !== undefined)
          await client
            .delete(resources.pods, { namespace, name: pod.metadata.name ?? '' }, { gracePeriodSeconds: 0 })
            .catch(() => undefined);
        else if (pod.status?.phase !== 'Running') await makeReady(pod, '10.88.0.50').catch(() => undefined);
      }
      const { items } = await client.list(workloads.replicaSets, { namespace });
      const sizes = items
        .map(({ spec, status }) => `${spec.replicas}/${status?.availableReplicas ?? 0}`)
        .toSorted();
      return sizes.join(' ') === '0/0 2/2';
    });
    assert.equal((await deployment()).metadata.annotations?.['deployment.kubernetes.io/revision'], '2');
  });

  test('a Pod without an owner is adopted when it is selected', async () => {
    await client.create(workloads.replicaSets, {
      metadata: { namespace, name: 'lone' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'lone' } },
        template: { ...template, metadata: { labels: { app: 'lone' } } },
      },
    });
    const extra = await client.create(resources.pods, {
      metadata: { namespace, name: 'stray', labels: { app: 'lone' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    // Two are one too many: one of them goes, and the stray one has an owner if it stays.
    await eventually('one Pod', async () => {
      const { items } = await client.list(resources.pods, { namespace, labelSelector: 'app=lone' });
      const alive = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      return alive.length === 1 && alive.every(({ metadata }) => metadata.ownerReferences?.length === 1);
    });
    assert.ok(extra.metadata.uid);
  });
});
