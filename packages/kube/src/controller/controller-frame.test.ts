import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controller, controllerTable, onChange, runPass } from './controller-frame.ts';
import { Informer, type InformerHandler, KubeClient, keyOf, QueueMetrics } from '../index.ts';
import { eventually, things, TinyApiServer } from '../testing/tiny-api-server.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('a pass observes, plans and applies; a plan that a cache must not decide is made again from proof', async () => {
  const done: string[] = [];
  const steps = {
    observe: (key: string) => (key === 'gone' ? undefined : { key, source: 'cache' }),
    plan: ({ key, source }: { key: string; source: string }) => ({ act: `${key} by ${source}` }),
    prove: async (observed: { key: string; source: string }) =>
      observed.key === 'delete' ? { ...observed, source: 'api' } : undefined,
    apply: async ({ act }: { act: string }) => void done.push(act),
  };
  for (const key of ['gone', 'keep', 'delete']) await runPass(steps, key, AbortSignal.timeout(1000));
  assert.deepEqual(done, ['keep by cache', 'delete by api']);
});

test('a table wakes keys by events of its own and of other caches, finds them by index, and counts', async () => {
  const server = new TinyApiServer();
  await server.start();
  const client = KubeClient.fromAccess(server.access());
  const end = new AbortController();
  const cache = new Informer({ client, log, resource: things, namespace: 'ns' });
  const others: InformerHandler<{ readonly color: string }>[] = [];
  const colors = { on: (handler: (typeof others)[number]) => others.push(handler) };
  const seen: string[] = [];
  const metrics = new QueueMetrics();
  const row = controller({
    name: 'things',
    resource: cache,
    indexes: { color: ({ spec }) => [spec?.color ?? ''] },
    wakes: [onChange(colors, ({ color }) => cache.byIndex('color', color).map(keyOf), ['update'])],
    steps: {
      observe: (key) => cache.get(key),
      plan: ({ spec }) => spec?.color ?? '',
      apply: async (color, { metadata }) => void seen.push(`${metadata?.name} ${color}`),
    },
  });
  const run = controllerTable([row], { clock: systemClock, log, prefix: 'test-', metrics });
  server.put('a', 'red');
  server.put('b', 'blue');
  cache.start(end.signal);
  await cache.synced();
  assert.throws(() => cache.addIndexers({ color: () => [] }), /already/);
  assert.throws(() => cache.addIndexers({ late: () => [] }), /before/);
  const running = run(end.signal);
  await eventually(() => seen.length === 2, 'both things');
  for (const { add, update } of others) {
    assert.equal(add, undefined);
    update?.({ color: 'blue' }, { color: 'blue' });
  }
  await eventually(() => seen.length === 3, 'the blue one again');
  assert.deepEqual(seen, ['a red', 'b blue', 'b blue']);
  const counted = metrics.families().flatMap(({ samples }) => samples);
  assert.ok(counted.some(({ labels }) => labels?.['name'] === 'test-things'));
  end.abort();
  await running;
  await client.close();
  await server.stop();
});
