import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customized, CustomizeError } from './customize.ts';

const object = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'virt-api' },
  spec: { replicas: 2, template: { spec: { containers: [{ name: 'virt-api', image: 'a', args: ['x'] }] } } },
};
const cases: readonly [string, string, string, object][] = [
  ['json', '[{"op":"replace","path":"/spec/replicas","value":3}]', 'Deployment', { replicas: 3 }],
  ['merge', '{"spec":{"replicas":null,"paused":true}}', 'deployments', { paused: true }],
  [
    'strategic',
    '{"spec":{"template":{"spec":{"containers":[{"name":"virt-api","image":"b"},{"name":"more"}]}}}}',
    'Deployment',
    {
      replicas: 2,
      template: {
        spec: { containers: [{ name: 'virt-api', image: 'b', args: ['x'] }, { name: 'more' }] },
      },
    },
  ],
];
for (const [type, patch, resourceType, expected] of cases)
  test(`customizeComponents: a ${type} patch`, () => {
    const [result] = customized([object], [{ type, patch, resourceType, resourceName: 'virt-api' }]);
    assert.ok(result);
    for (const [key, value] of Object.entries(expected))
      assert.deepEqual((result['spec'] as Record<string, unknown>)[key], value);
    assert.equal(object.spec.replicas, 2, 'the list itself is not touched');
  });

test('a patch of another object changes nothing, a broken one is told by name', () => {
  const other = { type: 'merge', patch: '{"a":1}', resourceType: 'DaemonSet', resourceName: 'virt-api' };
  assert.deepEqual(customized([object], [other]), [object]);
  const broken = { ...other, resourceType: 'Deployment', patch: '{' };
  assert.throws(() => customized([object], [broken]), CustomizeError);
});
