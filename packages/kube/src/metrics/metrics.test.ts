import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposition, FakeClock } from '@podvisor/base';
import { WorkQueue } from '../controller/work-queue.ts';
import { ClientMetrics, describePath } from './client-metrics.ts';
import { MetricsAccess } from './metrics-access.ts';
import { metricsAnswer } from './metrics-answer.ts';
import { QueueMetrics } from './queue-metrics.ts';

for (const [path, resource, name, url] of [
  ['/api/v1/pods', 'pods', false, '/api/v1/pods'],
  ['/api/v1/namespaces/n/pods/p', 'pods', true, '/api/v1/namespaces/{namespace}/pods/{name}'],
  ['/api/v1/namespaces/n', 'namespaces', true, '/api/v1/namespaces/{name}'],
  [
    '/apis/kubevirt.io/v1/namespaces/n/virtualmachines/v/status',
    'virtualmachines',
    true,
    '/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines/{name}/status',
  ],
] as const)
  test(`path ${path}`, () => assert.deepEqual(describePath(path), { resource, name, url }));

test('requests are counted by verb, watches are not timed', () => {
  const metrics = new ClientMetrics();
  const call = { host: 'h', code: 200, seconds: 0.01, isWatch: false };
  metrics.observe({ ...call, method: 'GET', path: '/api/v1/pods' });
  metrics.observe({ ...call, method: 'GET', path: '/api/v1/pods', isWatch: true });
  metrics.observe({ ...call, method: 'PUT', path: '/api/v1/nodes/x', code: 0 });
  const text = exposition(metrics.families());
  assert.match(text, /requests_total\{code="200",method="GET",host="h",resource="pods",verb="LIST"\} 1/);
  assert.match(text, /requests_total\{code="200",method="GET",host="h",resource="pods",verb="WATCH"\} 1/);
  assert.match(
    text,
    /requests_total\{code="<error>",method="PUT",host="h",resource="nodes",verb="UPDATE"\} 1/,
  );
  assert.doesNotMatch(text, /latency_seconds_count\{verb="WATCH"/);
});

test('a queue tells of its keys', async () => {
  const clock = new FakeClock();
  const metrics = new QueueMetrics();
  const queue = new WorkQueue({ clock, observer: metrics.observer('vmi') });
  queue.add('a');
  queue.add('b');
  queue.add('b');
  clock.advance(2_000);
  const key = await queue.take();
  assert.equal(key, 'a');
  clock.advance(3_000);
  const value = (name: string): string | undefined =>
    new RegExp(`^kubevirt_workqueue_${name}\\{name="vmi"\\} (\\S+)$`, 'm').exec(
      exposition(metrics.families()),
    )?.[1];
  assert.deepEqual(
    ['adds_total', 'depth', 'longest_running_processor_seconds', 'unfinished_work_seconds'].map(value),
    ['2', '1', '3', '3'],
  );
  queue.addRateLimited('a');
  queue.done('a');
  assert.deepEqual(
    [
      'retries_total',
      'queue_duration_seconds_sum',
      'work_duration_seconds_sum',
      'work_duration_seconds_count',
    ].map(value),
    ['1', '2', '3', '1'],
  );
});

test('metrics are for those whom the API server knows and allows', async () => {
  const asked: string[] = [];
  const clock = new FakeClock();
  let away = false;
  const access = new MetricsAccess(
    {
      create: async (_resource, object) => {
        if (away) throw new Error('connection refused');
        const { spec } = object as unknown as { spec: { token?: string; user?: string } };
        asked.push(spec.token ?? `may ${spec.user}`);
        const status =
          spec.token === undefined
            ? { allowed: spec.user === 'prometheus' }
            : { authenticated: spec.token !== 'forged', user: { username: spec.token } };
        return { ...object, status };
      },
    },
    clock,
  );
  const endpoint = { access, families: () => [] };
  const codeFor = async (header: string | undefined): Promise<number> =>
    (await metricsAnswer({ authorization: header }, endpoint)).code;
  assert.equal(await codeFor(undefined), 401);
  assert.equal(await codeFor('Basic eDp5'), 401);
  assert.equal(await codeFor('Bearer forged'), 401);
  assert.equal(await codeFor('Bearer somebody'), 403);
  assert.equal(await codeFor('Bearer prometheus'), 200);
  assert.equal(await codeFor('Bearer prometheus'), 200);
  assert.deepEqual(asked, ['forged', 'somebody', 'may somebody', 'prometheus', 'may prometheus']);
  away = true;
  assert.equal(await codeFor('Bearer prometheus'), 200, 'known for a minute');
  clock.advance(60_001);
  assert.equal(await codeFor('Bearer prometheus'), 503);
});
