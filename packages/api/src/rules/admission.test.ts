import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admissionOf } from './admission.ts';
import { invalid } from './rule.ts';

const causes = (count: number) => Array.from({ length: count }, (_, i) => invalid(`spec.f${i}`, `no ${i}`));

test('ten causes are told in full', () => {
  const { causes: told, message } = admissionOf(causes(10));
  assert.equal(told.length, 10);
  assert.match(message, /no 8, no 9$/);
});

test('of more causes the first ten are told, and how many there are besides', () => {
  const { causes: told, code, message } = admissionOf(causes(13));
  assert.deepEqual([told.length, code], [10, 422]);
  assert.match(message, /no 8, no 9, and 3 more validation errors$/);
});

test('a cause that is counted twice is told once', () => {
  const { causes: told, message } = admissionOf([...causes(7), ...causes(9)]);
  assert.equal(told.length, 7);
  assert.match(message, /no 5, no 6, and 2 more validation errors$/);
});
