import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleGroups } from '../catalogue.ts';
import { exampleErrors } from './errors.ts';
import { kindRules } from './other.ts';

test('every rule has an example that breaks it', () => {
  for (const { id } of ruleGroups.flatMap(({ rules }) => rules)) {
    const error = exampleErrors.get(id);
    assert.ok(error, `${id} has no example, or its example is allowed`);
    assert.notEqual(error.message, '', id);
  }
});

for (const { broken, field, kind, summary } of kindRules) {
  test(`${kind} ${field}: ${summary}`, () => {
    const { allowed, message } = broken();
    assert.equal(allowed, false);
    assert.notEqual(message, '');
  });
}
