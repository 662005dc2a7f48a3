import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deletionConditions, type Remaining } from './reconcile.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const remaining: readonly Remaining[] = [
  { resource: 'pods.', count: 2, finalizers: {} },
  {
    resource: 'virtualmachines.kubevirt.io',
    count: 1,
    finalizers: { 'kubevirt.io/virtualMachineControllerFinalize': 1 },
  },
  { resource: 'secrets.', count: 0, finalizers: {} },
];

test('names what is left and which finalizers hold it', () => {
  const conditions = deletionConditions({}, remaining, [], [], NOW) ?? [];
  const text = Object.fromEntries(
    conditions.map(({ type, status, message }) => [type, `${status} ${message}`]),
  );
  assert.deepEqual(text, {
    NamespaceDeletionDiscoveryFailure: 'False All resources successfully discovered',
    NamespaceDeletionGroupVersionParsingFailure: 'False All legacy kube types successfully parsed',
    NamespaceDeletionContentFailure: 'False All content successfully deleted, may be waiting on finalization',
    NamespaceContentRemaining:
      'True Some resources are remaining: pods. has 2 resource instances, virtualmachines.kubevirt.io has 1 resource instances',
    NamespaceFinalizersRemaining:
      'True Some content in the namespace has finalizers remaining: kubevirt.io/virtualMachineControllerFinalize in 1 resource instances',
  });
});

test('says nothing twice, and keeps the time of a condition that stays', () => {
  const first = deletionConditions({}, remaining, [], [], NOW);
  assert.equal(
    deletionConditions({ status: { conditions: first } }, remaining, [], [], NOW + 60_000),
    undefined,
  );
  const next =
    deletionConditions({ status: { conditions: first } }, remaining.slice(1), [], [], NOW + 60_000) ?? [];
  assert.equal(
    next.find(({ type }) => type === 'NamespaceContentRemaining')?.lastTransitionTime,
    '2026-01-01T00:00:00Z',
  );
});

test('a resource that cannot be emptied and a group that does not answer are named', () => {
  const conditions = deletionConditions({}, [], ['things.example.io: no'], ['down.example.io/v1'], NOW) ?? [];
  const messages = conditions.map(({ message }) => message).join('\n');
  assert.match(messages, /1 remaining: things\.example\.io: no/);
  assert.match(messages, /1 failing: down\.example\.io\/v1/);
});
