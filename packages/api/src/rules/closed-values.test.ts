import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VMISpec } from '../types/index.ts';
import { closedValueProblems } from './closed-values.ts';

const spec = (fields: object): VMISpec => ({ domain: { devices: {} }, ...fields });

test('values that Kubernetes knows are no problem, nor is their absence', () => {
  assert.deepEqual(closedValueProblems(spec({}), 'spec'), []);
  const tolerations = [{ operator: 'Exists', effect: 'NoExecute' }, {}];
  assert.deepEqual(closedValueProblems(spec({ dnsPolicy: 'None', tolerations }), 'spec'), []);
});

test('an unknown DNS policy is one problem, in the words of a schema', () => {
  assert.deepEqual(closedValueProblems(spec({ dnsPolicy: 'bogus' }), 'spec'), [
    'spec.dnsPolicy in body should be one of [ClusterFirst ClusterFirstWithHostNet Default None]',
  ]);
});

test('lists are looked through, and have no index in the words', () => {
  const nodeSelectorTerms = [{ matchFields: [{ key: 'metadata.name', operator: 'Is', values: ['a'] }] }];
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  };
  const [problem = '', ...more] = closedValueProblems(spec({ affinity }), 'spec.template.spec');
  assert.match(
    problem,
    /^spec\.template\.spec\.affinity\..*nodeSelectorTerms\.matchFields\.operator in body/,
  );
  assert.deepEqual(more, []);
});
