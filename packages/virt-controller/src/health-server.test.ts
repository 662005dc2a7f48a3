import assert from 'node:assert/strict';
import { request } from 'node:https';
import { test } from 'node:test';
import {
  ALL_METRICS,
  CONTROLLER_METRICS,
  HANDOFF_METRICS,
  PROCESS_METRICS,
  QUEUE_METRICS,
} from '@podvisor/api';
import { startHealthServer } from '@podvisor/kube';
import { Metrics } from './metrics/metrics.ts';

test('probes are for everybody, metrics for those who may', async () => {
  const stop = new AbortController();
  const metrics = new Metrics();
  const server = await startHealthServer(
    {
      component: 'virt-controller',
      host: '127.0.0.1',
      port: 0,
      log: { info() {}, warn() {}, error() {} },
      leadership: () => ({ leading: true, ready: true }),
      health: { answer: async () => ({ code: 200, body: { 'config-resource-version': '7' } }) },
      metrics: {
        access: { judge: async (header) => (header === 'Bearer good' ? 200 : 401) },
        families: () => metrics.families(),
      },
    },
    stop.signal,
  );
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const get = (path: string, headers = {}): Promise<{ code?: number; body: string }> =>
    new Promise((resolve, reject) => {
      request({ port: address.port, path, headers, rejectUnauthorized: false, agent: false }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ code: response.statusCode, body }));
      })
        .on('error', reject)
        .end();
    });
  try {
    assert.deepEqual(await get('/leader'), { code: 200, body: '{"leading":true,"ready":true}' });
    for (const path of ['/healthz', '//healthz'])
      assert.deepEqual(await get(path), { code: 200, body: '{"config-resource-version":"7"}' });
    assert.equal((await get('/metrics')).code, 401);
    const { code, body } = await get('/metrics', { authorization: 'Bearer good' });
    assert.equal(code, 200);
    const served = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    const promised = [
      ALL_METRICS,
      PROCESS_METRICS,
      QUEUE_METRICS,
      CONTROLLER_METRICS,
      HANDOFF_METRICS,
    ].flatMap((group) => Object.values(group).map(({ name, type }) => `${name} ${type}`));
    assert.deepEqual(served.toSorted(), promised.toSorted());
  } finally {
    stop.abort();
  }
});
