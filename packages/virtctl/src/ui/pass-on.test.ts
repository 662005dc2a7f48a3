import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerHeaders } from './pass-on.ts';

test('what the page reads keeps its type; what a tenant serves is no document and no script of the page', () => {
  const typeOf = (type: unknown): string | undefined => answerHeaders(type)['content-type'];
  for (const type of ['application/json', 'application/json;stream=watch', 'text/plain; charset=utf-8'])
    assert.equal(typeOf(type), type);
  for (const type of [
    'text/html',
    'text/javascript',
    'image/svg+xml',
    'application/json-not',
    undefined,
    ['a'],
  ])
    assert.equal(typeOf(type), 'application/octet-stream');
  assert.match(answerHeaders('text/html')['content-security-policy'] ?? '', /sandbox/);
});
