import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bindingFor,
  checkUser,
  groupOf,
  missingNamespace,
  subjectsWithout,
  userRow,
  validityMs,
} from './user-plan.ts';

const request = { name: 'anna', namespace: 'blue', role: 'edit', number: 'ab12', expires: 0 };

test('rights go to a group that only this certificate names', () => {
  const { metadata, subjects, roleRef } = bindingFor(request);
  assert.equal(metadata?.namespace, 'blue');
  assert.deepEqual(
    subjects.map(({ kind, name }) => [kind, name]),
    [['Group', 'podvisor:user:anna:ab12']],
  );
  assert.equal(roleRef.name, 'edit');
  assert.notEqual(groupOf(request), groupOf({ ...request, number: 'cd34' }));
});

test('what is listed is what was made', () => {
  const row = { name: 'anna', namespace: 'blue', role: 'edit', expires: '1970-01-01T00:00:00Z' };
  assert.deepEqual(userRow(bindingFor(request)), row);
});

test('a user goes from every binding, also from those that he made for himself; others stay in them', () => {
  const binding = (...subjects: readonly (readonly [kind: string, name: string])[]) => ({
    ...bindingFor(request),
    subjects: subjects.map(([kind, name]) => ({ kind, name, apiGroup: 'rbac.authorization.k8s.io' })),
  });
  const left = (...subjects: readonly (readonly [kind: string, name: string])[]) =>
    subjectsWithout(binding(...subjects), 'anna')?.map(({ name }) => name);
  assert.deepEqual(subjectsWithout(bindingFor(request), 'anna'), []);
  assert.deepEqual(left(['User', 'anna'], ['User', 'ben']), ['ben']);
  assert.deepEqual(left(['Group', 'podvisor:user:anna:ff00'], ['Group', 'podvisor:user:annabel:ff00']), [
    'podvisor:user:annabel:ff00',
  ]);
  assert.equal(left(['User', 'annabel'], ['ServiceAccount', 'anna'], ['Group', 'anna']), undefined);
  assert.equal(subjectsWithout({ metadata: {} }, 'anna'), undefined);
});

test('nobody is called system:masters, or by what is no name', () => {
  for (const name of ['system:admin', 'Anna', '', 'a b', '../x', 'x'.repeat(60)])
    assert.throws(() => checkUser({ name, namespace: 'blue' }), /cannot be a user/, name);
  assert.throws(() => checkUser({ name: 'anna', namespace: 'a/b' }), /--namespace "a\/b"/);
  checkUser({ name: 'anna.k-2', namespace: 'blue' });
});

test('how long a certificate counts', () => {
  assert.equal(validityMs('12h'), 12 * 3_600_000);
  assert.equal(validityMs('1y'), 365 * 86_400_000);
  for (const text of ['', '0d', '5', '11y', '-1d', '1w'])
    assert.throws(() => validityMs(text), /--expires/, text);
});

test('a namespace that is not there is named, with the one that was meant and what makes it', () => {
  assert.equal(
    missingNamespace('bleu', ['blue', 'default']),
    'there is no namespace "bleu" (did you mean "blue"?): --create-namespace makes it',
  );
  assert.match(missingNamespace('green', ['default']), /^there is no namespace "green": --create-namespace/);
});
