import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localCollector, traceEnvironment } from './trace-environment.ts';

const elsewhere = { node: { name: 'node-2', netns: 'home-node-2', awaitsNetwork: true } };
const here = { node: { name: 'node-1', awaitsNetwork: true } };
const at = (endpoint: string): NodeJS.ProcessEnv => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });

test('a node in a network namespace of its own reaches a collector on loopback by a socket', () => {
  for (const endpoint of ['http://127.0.0.1:4318', 'http://localhost:4318', 'http://[::1]:4318/']) {
    const told = traceEnvironment(elsewhere, at(endpoint), '/run/s');
    assert.deepEqual(told, { PODVISOR_OTLP_SOCKET: '/run/s' });
    for (const spec of [here, {}]) assert.deepEqual(traceEnvironment(spec, at(endpoint), '/run/s'), {});
  }
  for (const env of [at('http://10.88.0.1:4318'), at('nonsense'), {}])
    assert.deepEqual(traceEnvironment(elsewhere, env, '/run/s'), {});
});

test('where that collector is', () => {
  assert.deepEqual(localCollector(at('http://127.0.0.1:4318')), { host: '127.0.0.1', port: 4318 });
  assert.deepEqual(localCollector(at('https://[::1]')), { host: '::1', port: 443 });
  assert.deepEqual(localCollector(at('http://localhost/')), { host: 'localhost', port: 80 });
  assert.equal(localCollector({}), undefined);
  // Names of others that look like it, which root would dial for a node.
  for (const host of ['127.evil.example', '127.0.0.1.evil.example', 'localhost.evil.example'])
    assert.equal(localCollector(at(`http://${host}:4318`)), undefined, host);
});
