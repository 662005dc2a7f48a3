import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftOf } from './draft.ts';

test('a draft is equal, and shares nothing that could be written', () => {
  const value = { a: { b: [{ c: 1 }, null, 'text'] }, d: undefined, e: true };
  const draft = draftOf(value);
  assert.deepEqual(draft, value);
  assert.ok('d' in draft);
  const [first] = draft.a.b;
  if (typeof first === 'object' && first !== null) first.c = 2;
  assert.deepEqual(value.a.b[0], { c: 1 });
});

test('a member called __proto__ stays one', () => {
  const draft = draftOf(JSON.parse('{"labels":{"__proto__":"x"}}') as { labels: object });
  assert.equal(JSON.stringify(draft), '{"labels":{"__proto__":"x"}}');
});
