/**
 * The kinds that own Pods beside Deployments, each controller with no more than its own rights: whatever one lacks shows
 * as work that is never done. The test plays the kubelet.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KubernetesObject, Pod, PodTemplateSpec } from '@podvisor/api';
import { defineResource, type KubeClient, resources } from '@podvisor/kube';
import { workloads } from '../../../workload-controllers/src/workloads/resources.ts';
import { addNode, eventually, type SmallCluster, startSmallCluster } from './testing/small-cluster.ts';

const namespace = 'default';
const budgets = defineResource<KubernetesObject & { spec: object; status?: { expectedPods?: number } }>(
  'PodDisruptionBudget',
  'poddisruptionbudgets',
  'policy/v1',
);

const templateOf = (app: string, image = 'i:1'): PodTemplateSpec => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image }] },
});

describe('workloads of further kinds', { concurrency: 1 }, () => {
  let cluster: SmallCluster;
  let client: KubeClient;
  const podsOf = async (app: string): Promise<readonly Pod[]> =>
    (await client.list(resources.pods, { namespace, labelSelector: `app=${app}` })).items;
  const setPhase = (pod: Pod, phase: string): Promise<unknown> => {
    const status = phase === 'Running' ? 'True' : 'False';
    const conditions = [{ type: 'Ready', status, lastTransitionTime: new Date().toISOString() }];
    return client.patch(
      resources.pods,
      { namespace, name: pod.metadata.name ?? '' },
      { type: 'merge', subresource: 'status', body: { status: { phase, conditions } } },
    );
  };
  /** The kubelet: what is there runs, what is to go goes. */
  const play = async (app: string, phase = 'Running'): Promise<readonly Pod[]> => {
    for (const pod of await podsOf(app)) {
      const key = { namespace, name: pod.metadata.name ?? '' };
      if (pod.metadata.deletionTimestamp !== undefined)
        await client.delete(resources.pods, key, { gracePeriodSeconds: 0 }).catch(() => undefined);
      else if (pod.status?.phase !== phase) await setPhase(pod, phase).catch(() => undefined);
    }
    return (await podsOf(app)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  };

  before(async () => {
    cluster = await startSmallCluster();
    client = cluster.client;
    await addNode(client, 'node1');
    await eventually('the service account', () =>
      client.find(resources.serviceAccounts, { namespace, name: 'default' }),
    );
  });
  after(() => cluster.close());

  test('a StatefulSet makes its Pods and their claims, changes and becomes smaller; a budget counts it', async () => {
    const key = { namespace, name: 'db' };
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
    };
    await client.create(workloads.statefulSets, {
      metadata: key,
      spec: {
        replicas: 2,
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: templateOf('db'),
        volumeClaimTemplates: [claim],
        podManagementPolicy: 'Parallel',
        revisionHistoryLimit: 0,
      },
    });
    await client.create(budgets, {
      metadata: key,
      spec: { maxUnavailable: '50%', selector: { matchLabels: { app: 'db' } } },
    });
    await eventually('two Pods', async () => (await play('db')).length === 2);
    await eventually('the budget counts', async () => {
      return (await client.get(budgets, key)).status?.expectedPods === 2;
    });
    assert.equal((await client.list(resources.persistentVolumeClaims, { namespace })).items.length, 2);
    const body = { spec: { replicas: 1, template: templateOf('db', 'i:2') } };
    await client.patch(workloads.statefulSets, key, { type: 'merge', body });
    await eventually('one Pod of the new image', async () => {
      const found = await play('db');
      return found.length === 1 && found[0]?.spec.containers[0]?.image === 'i:2';
    });
    await eventually('the old revision is gone', async () => {
      await play('db'); // the new Pod may have come after the last look
      return (await client.list(workloads.revisions, { namespace })).items.length === 1;
    });
  });

  test('a DaemonSet replaces its Pods by those of a new template', async () => {
    const key = { namespace, name: 'agent' };
    await client.create(workloads.daemonSets, {
      metadata: key,
      spec: { selector: { matchLabels: { app: 'agent' } }, template: templateOf('agent') },
    });
    await eventually('a Pod', async () => (await play('agent')).length === 1);
    const body = { spec: { template: templateOf('agent', 'i:2') } };
    await client.patch(workloads.daemonSets, key, { type: 'merge', body });
    await eventually('a Pod of the new image', async () => {
      return (await play('agent'))[0]?.spec.containers[0]?.image === 'i:2';
    });
  });

  test('a Job is done, lets go of the Pods that it does not need, and goes', async () => {
    const key = { namespace, name: 'once' };
    const template = { ...templateOf('once'), spec: { ...templateOf('once').spec, restartPolicy: 'Never' } };
    await client.create(workloads.jobs, {
      metadata: key,
      spec: { parallelism: 2, completions: 2, template, ttlSecondsAfterFinished: 0 },
    } as Parameters<typeof client.create<typeof workloads.jobs.objectType & object>>[1]);
    await eventually('two Pods', async () => (await play('once')).length === 2);
    await client.patch(workloads.jobs, key, { type: 'merge', body: { spec: { parallelism: 1 } } });
    await eventually('one of them stays', async () => (await play('once')).length === 1);
    await eventually('the Job is gone', async () => {
      await play('once', 'Succeeded');
      return (await client.find(workloads.jobs, key)) === undefined;
    });
  });

  test('a ReplicaSet of a Deployment that keeps no history goes', async () => {
    const key = { namespace, name: 'web' };
    await client.create(workloads.deployments, {
      metadata: key,
      spec: {
        replicas: 1,
        revisionHistoryLimit: 0,
        selector: { matchLabels: { app: 'web' } },
        template: templateOf('web'),
      },
    });
    await eventually('a Pod', async () => (await play('web')).length === 1);
    const body = { spec: { template: templateOf('web', 'i:2') } };
    await client.patch(workloads.deployments, key, { type: 'merge', body });
    await eventually('one set is left', async () => {
      await play('web');
      const { items } = await client.list(workloads.replicaSets, { namespace });
      return items.length === 1 && items[0]?.spec.template.spec.containers[0]?.image === 'i:2';
    });
  });
});
