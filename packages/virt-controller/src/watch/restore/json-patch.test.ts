import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patchObject } from './json-patch.ts';

const vm = () => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm', namespace: 'mine', labels: { a: 'b' } },
  spec: { running: true, list: [1] },
});

test('patches change labels, annotations and the spec of a copy', () => {
  const before = vm();
  const after = patchObject(before, [
    '{"op":"add","path":"/metadata/labels/c","value":"d"}',
    '{"op":"add","path":"/metadata/annotations","value":{"x":"y"}}',
    '{"op":"replace","path":"/spec/list/0","value":2}',
  ]);
  assert.deepEqual(after, {
    ...vm(),
    metadata: { ...vm().metadata, labels: { a: 'b', c: 'd' }, annotations: { x: 'y' } },
    spec: { running: true, list: [2] },
  });
  assert.deepEqual(before, vm());
});

test('a tenant changes neither the prototype of all objects nor whose object it is', () => {
  for (const patch of [
    '{"op":"add","path":"/__proto__/polluted","value":1}',
    '{"op":"add","path":"/constructor/prototype/polluted","value":1}',
    '{"op":"replace","path":"/metadata/namespace","value":"other"}',
    '{"op":"replace","p\\u0061th":"/metadata/namespace","value":"other"}',
    '{"op":"replace","path":"/metadata/name","value":"other"}',
    '{"op":"replace","path":"/kind","value":"Secret"}',
    '{"op":"add","path":"/metadata/ownerReferences","value":[]}',
    '{"op":"add","path":"/metadata/finalizers","value":["x"]}',
    '{"op":"add","path":"/status","value":{}}',
    '{"op":"copy","from":"/spec","path":"/metadata"}',
    '"text"',
    '{',
  ])
    assert.throws(() => patchObject(vm(), [patch]), Error, patch);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});
