import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Amount, parseQuantity, QuantityError } from './quantity.ts';

const CANONICAL: readonly (readonly [string, string])[] = [
  ['1Gi', '1Gi'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['100m', '100m'],
  ['1000m', '1'],
  ['0.5', '500m'],
  ['2e3', '2e3'],
  ['2000', '2k'],
  ['0', '0'],
  ['-1', '-1'],
  ['1500M', '1500M'],
];

for (const [text, canonical] of CANONICAL) {
  test(`${text} prints as ${canonical}`, () => assert.equal(parseQuantity(text).toString(), canonical));
}

test('whole and thousandth values round up', () => {
  assert.equal(parseQuantity('100m').value(), 1);
  assert.equal(parseQuantity('1.0005').milliValue(), 1001);
  assert.equal(parseQuantity('1Mi').value(), 1048576);
});

test('amounts end at 2^63-1, however they are written, and nothing but zero is below one nano', () => {
  for (const huge of ['1e308', '1e999999999', '9223372036854775808', '1e19', '8Ei'])
    assert.equal(parseQuantity(huge).nano, (2n ** 63n - 1n) * 10n ** 9n, huge);
  for (const tiny of ['1e-308', '0.0000000000001', '1e-999999999'])
    assert.equal(parseQuantity(tiny).nano, 1n, tiny);
  assert.equal(parseQuantity('0e999999999').nano, 0n);
  assert.equal(parseQuantity('-1e999').nano, -(2n ** 63n - 1n) * 10n ** 9n);
});

test('what is no quantity is refused by name', () => {
  for (const bad of ['', 'Gi', '1 Gi', '1GiB', '--1', '1e', 'abc']) {
    assert.throws(() => parseQuantity(bad), QuantityError);
  }
});

test('text and amount are each other', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 27n), 10n ** 27n), (nano) => {
      const amount = new Amount(nano, 'DecimalSI');
      return parseQuantity(amount.toString()).nano === nano;
    }),
  );
});
