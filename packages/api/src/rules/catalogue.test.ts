import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleGroups } from './catalogue.ts';

const rules = ruleGroups.flatMap((group) => group.rules);

test('every rule has its own id', () => {
  const ids = rules.map((rule) => rule.id);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
});

test('every rule says what it guards, in one sentence', () => {
  for (const { field, id, summary } of rules) {
    assert.ok(field !== '', id);
    assert.match(summary, /^[\p{L}\d].*\.$/u, id);
  }
});
