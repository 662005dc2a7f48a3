import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ComponentHealth, isHealthRequest } from './component-health.ts';

test('the version of the configuration is that of the moment, the API server is asked once for many', async () => {
  let [asked, version, now] = [0, '', 0];
  let isAway = false;
  const health = new ComponentHealth({
    client: {
      request: async <R>(): Promise<R> => {
        asked += 1;
        if (isAway) throw new Error('connection refused');
        return { gitVersion: 'v1.36.4' } as R;
      },
    },
    clock: { ...systemClock, now: () => now },
    configVersion: () => version,
  });
  assert.deepEqual(await health.answer(), {
    code: 200,
    body: {
      apiserver: { connectivity: 'ok', version: { gitVersion: 'v1.36.4' } },
      'config-resource-version': '',
    },
  });
  version = '17';
  isAway = true;
  assert.equal((await health.answer()).body['config-resource-version'], '17');
  assert.equal(asked, 1);
  now = 3_000;
  assert.deepEqual(await health.answer(), {
    code: 500,
    body: {
      apiserver: { connectivity: 'failed', error: 'connection refused' },
      'config-resource-version': '17',
    },
  });
});

test('who asks for health', () => {
  for (const [url, expected] of [
    ['/healthz', true],
    ['//healthz', true],
    ['/healthz?x=1', true],
    ['/healthzz', false],
    ['/x/healthz', false],
    [undefined, false],
  ] as const)
    assert.equal(isHealthRequest({ method: 'GET', url }), expected, url);
  assert.ok(!isHealthRequest({ method: 'POST', url: '/healthz' }));
});
