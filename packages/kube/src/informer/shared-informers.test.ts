import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '../well-known.ts';
import { systemClock } from '@podvisor/base';
import type { KubernetesObject, Pod } from '@podvisor/api';
import type { ListWatcher } from './reflector.ts';
import { SharedInformers } from './shared-informers.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1', managedFields: [{ manager: 'm' }] },
  spec: {
    nodeName: 'node-1',
    containers: [
      {
        name: 'c',
        image: 'i',
        command: ['run'],
        env: [{ name: 'A', value: 'B' }],
        resources: { requests: { cpu: '1' } },
        ports: [{ containerPort: 80 }],
      },
    ],
    initContainers: [{ name: 'side', image: 'i', restartPolicy: 'Always', args: ['x'] }],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'claim' } }],
  },
  status: { phase: 'Running' },
} as unknown as Pod;

/** Lists the Pod, and then has nothing more to tell. */
const client = {
  list: () => Promise.resolve({ metadata: { resourceVersion: '1' }, items: [pod] }),
  watch: (_resource: unknown, _options: unknown, signal?: AbortSignal) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) =>
          signal?.addEventListener('abort', () => resolve({ done: true }), { once: true }),
        ),
    }),
  }),
} as unknown as ListWatcher;

async function kept(trimsPods: boolean): Promise<Pod | undefined> {
  const stop = new AbortController();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const informers = new SharedInformers({ client, clock: systemClock, log, trimsPods });
  const pods = informers.of(resources.pods as typeof resources.pods & { kind: string });
  informers.start(stop.signal);
  await informers.synced();
  const found: KubernetesObject | undefined = pods.get('n/p');
  stop.abort();
  return found as Pod | undefined;
}

test('Pods are kept without what only a kubelet needs, where that is asked for', async () => {
  const trimmed = await kept(true);
  assert.deepEqual(trimmed?.spec.containers, [
    {
      name: 'c',
      image: 'i',
      resources: { requests: { cpu: '1' } },
      ports: [{ containerPort: 80 }],
    },
  ]);
  assert.deepEqual(trimmed?.spec.initContainers, [{ name: 'side', image: 'i', restartPolicy: 'Always' }]);
  assert.deepEqual(trimmed?.spec.volumes, pod.spec.volumes);
  assert.equal(trimmed?.spec.nodeName, 'node-1');
  assert.equal(trimmed?.metadata.managedFields, undefined);
  assert.deepEqual(trimmed?.status, pod.status);
});

test('else they are whole, without their history of writers', async () => {
  const whole = await kept(false);
  assert.deepEqual(whole?.spec, pod.spec);
  assert.equal(whole?.metadata.managedFields, undefined);
});
