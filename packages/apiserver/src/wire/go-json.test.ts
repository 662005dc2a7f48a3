import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { duplicateKeys } from './go-json.ts';
import { parseJson } from './json.ts';

const cases: readonly [string, readonly string[]][] = [
  ['{}', []],
  ['{"a":1,"b":[{"a":1}]}', []],
  ['{ "a": 1 }', []],
  ['{"a":1,"a":1}', ['a']],
  ['{"a":{"b":1,"b":2}}', ['a.b']],
  ['{"a":[{"b":1,"b":2}]}', ['a[0].b']],
  ['{"a":1,"\\u0061":1}', ['a']],
  ['{"__proto__":1,"__proto__":2}', ['__proto__']],
  ['{"2":1,"1":1}', []],
];

describe('keys that are given twice', () => {
  for (const [text, wanted] of cases)
    test(text, () => assert.deepEqual(duplicateKeys(text, parseJson(text)), wanted));
});

describe('numbers', () => {
  for (const text of ['-0', '[-0]', '{"a":-0}', '[1,-0]', '[1, -0.0]'])
    test(`${text} has no sign`, () => assert.ok(!JSON.stringify(parseJson(text)).includes('-')));
  test('a date and a UID are no numbers', () => {
    const text = '{"a":"2026-01-02T03:04:05Z","b":"6b1f0b0e-0111-4222-8333-044455556666"}';
    assert.equal(JSON.stringify(parseJson(text)), text);
  });
  test('a whole number beyond 2^53 keeps its digits', () => {
    assert.equal(JSON.stringify(parseJson('[9007199254740993]')), '[9007199254740993]');
  });
});
