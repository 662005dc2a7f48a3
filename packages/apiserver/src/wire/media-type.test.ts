import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaTypeOf } from './media-type.ts';

const cases: readonly [header: string, type: string | undefined][] = [
  ['application/json', 'application/json'],
  [' Application/JSON ', 'application/json'],
  ['', ''],
  ['application/json; charset=utf-8', 'application/json'],
  ['application/json;charset="utf-8" ; a=b;', 'application/json'],
  ['application/json; a="x;y"; b=', 'application/json'],
  ['application/json; ; ', 'application/json'],
  ['application/json; charset', undefined],
  ['application/json; =x', undefined],
  ['application/json; a="x', undefined],
  ['application/json; a=b c', undefined],
];

for (const [header, type] of cases)
  test(`media type of ${JSON.stringify(header)}`, () => {
    assert.equal(mediaTypeOf(header), type);
  });

test('a header that ends badly after very many parameters is refused at once', () => {
  for (const part of [';  ', '; a=b  ', ';\t \t', ';'])
    for (const end of ['"', 'x', ' =', '"x'])
      assert.equal(mediaTypeOf(`application/json;a=b${part.repeat(3_000)}${end}${end}`), undefined, part);
});
