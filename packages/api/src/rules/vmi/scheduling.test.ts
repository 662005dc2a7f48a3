import assert from 'node:assert/strict';
import { test } from 'node:test';
import { specFields } from '../../testing/spec-fields.ts';

const TERM = 'spec.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]';
const POD = 'spec.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';

function byField(key: string, operator: string, values: readonly string[]) {
  const nodeSelectorTerms = [{ matchFields: [{ key, operator, values }] }];
  return specFields({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  });
}

const cases: readonly [string, string, readonly string[], readonly string[]][] = [
  ['metadata.name', 'In', ['node-1'], []],
  ['metadata.name', 'NotIn', ['node-1'], []],
  ['metadata.name', 'In', ['node 1'], ['values[0]']],
  ['metadata.name', 'In', ['node-1', 'node-2'], ['values']],
  ['metadata.name', 'In', [], ['values']],
  ['metadata.name', 'Exists', [], ['operator']],
  ['metadata.uid', 'In', ['node 1'], ['key']],
];

for (const [key, operator, values, expected] of cases) {
  test(`matchFields ${key} ${operator} [${values.join(' ')}]`, () =>
    assert.deepEqual(
      byField(key, operator, values),
      expected.map((part) => `${TERM}.matchFields[0].${part}`),
    ));
}

test('namespaces of a Pod term are names of namespaces', () => {
  const term = { topologyKey: 'zone', namespaces: ['good', 'No_Good'] };
  const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  assert.deepEqual(specFields({ affinity: { podAffinity } }), [`${POD}.namespace`]);
});

test('of two equal spread constraints the first is blamed', () => {
  const one = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' } as const;
  assert.deepEqual(specFields({ topologySpreadConstraints: [one, one] }), [
    'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}',
  ]);
});
