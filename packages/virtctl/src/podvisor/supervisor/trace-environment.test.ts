import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tracesOf } from './trace-environment.ts';

const SILENT = { OTEL_EXPORTER_OTLP_ENDPOINT: '' };
const elsewhere = { node: { name: 'node-2', netns: 'home-node-2', awaitsNetwork: true } };
const here = { node: { name: 'node-1', awaitsNetwork: true } };

test('a node in a network namespace of its own is not told of a collector on loopback', () => {
  for (const endpoint of ['http://127.0.0.1:4318', 'http://localhost:4318', 'http://[::1]:4318/']) {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    assert.deepEqual(tracesOf(elsewhere, env), SILENT);
    for (const spec of [here, {}]) assert.deepEqual(tracesOf(spec, env), {});
  }
  const away = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.88.0.1:4318' };
  for (const env of [away, {}]) assert.deepEqual(tracesOf(elsewhere, env), {});
});
