import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from './refusal.ts';

test('a Status gives its words and the fields they are about', () => {
  const { message, fields } = refusalOf(
    422,
    JSON.stringify({ message: 'no', details: { causes: [{ field: 'spec.x', message: 'must be y' }, {}] } }),
  );
  assert.equal(message, 'no');
  assert.deepEqual(fields, [{ field: 'spec.x', message: 'must be y' }]);
});

test('what it is about is kept: the page learns from it what opens a session', () => {
  assert.equal(refusalOf(401, JSON.stringify({ details: { kind: 'token' } })).kind, 'token');
});

test('anything else is shown as it came', () => {
  assert.equal(refusalOf(502, 'gone').message, 'gone');
  assert.equal(refusalOf(502, '').message, 'the server answered 502');
});
