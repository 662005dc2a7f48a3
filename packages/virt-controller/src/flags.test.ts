import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFlags } from './flags.ts';

const image = ['--launcher-image', 'launcher:1'];

test('defaults', () => {
  assert.deepEqual(parseFlags(image), {
    kubeconfig: undefined,
    namespace: 'kubevirt',
    launcherImage: 'launcher:1',
    passtSeccompProfile: undefined,
    runtimeDefaultSeccomp: false,
    withOperator: false,
    virtiofsSeccompProfile: undefined,
    identity: undefined,
    tlsDir: undefined,
    metricsListen: undefined,
  });
});

test('where metrics are served', () => {
  assert.deepEqual(parseFlags([...image, '--metrics-listen', '127.0.0.1:9090']).metricsListen, {
    host: '127.0.0.1',
    port: 9090,
  });
  assert.deepEqual(parseFlags([...image, '--metrics-listen', '[::1]:0']).metricsListen, {
    host: '::1',
    port: 0,
  });
  for (const text of [':9090', '127.0.0.1', '127.0.0.1:x', '127.0.0.1:99999']) {
    assert.throws(() => parseFlags([...image, '--metrics-listen', text]), /metrics-listen/, text);
  }
  assert.throws(() => parseFlags([]), /launcher-image/);
});
