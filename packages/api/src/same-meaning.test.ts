import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdFor } from './crds/crds.ts';
import { sameMeaning } from './same-meaning.ts';

const schema = crdFor('VirtualMachineInstance')?.spec.versions[0]?.schema.openAPIV3Schema ?? {};
const same = (a: object, b: object): boolean => sameMeaning({ spec: a }, { spec: b }, schema);

test('quantities are what they amount to; other texts are what they are', () => {
  const memory = (guest: string) => ({ domain: { memory: { guest } } });
  assert.ok(same(memory('1Gi'), memory('1024Mi')));
  assert.ok(!same(memory('1Gi'), memory('1G')));
  assert.ok(!same({ hostname: '1Gi' }, { hostname: '1024Mi' }));
  const port = (value: number | string) => ({ livenessProbe: { tcpSocket: { port: value } } });
  assert.ok(!same(port(80), port('80')));
});

test('an empty list or map is none, an empty object is one', () => {
  assert.ok(same({ volumes: [] }, {}));
  assert.ok(same({ nodeSelector: {} }, {}));
  assert.ok(!same({ domain: { devices: { tpm: {} } } }, { domain: { devices: {} } }));
  for (const device of ['rng', 'downwardMetrics', 'clientPassthrough'])
    assert.ok(!same({ domain: { devices: { [device]: {} } } }, { domain: { devices: {} } }), device);
});

test('order and number of items count', () => {
  const volumes = (...names: readonly string[]) => ({ volumes: names.map((name) => ({ name })) });
  assert.ok(same(volumes('a', 'b'), volumes('a', 'b')));
  assert.ok(!same(volumes('a', 'b'), volumes('b', 'a')));
  assert.ok(!same(volumes('a'), volumes('a', 'b')));
});
