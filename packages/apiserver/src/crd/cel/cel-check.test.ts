import assert from 'node:assert/strict';
import { test } from 'node:test';
import { celErrors } from './cel-check.ts';

const OBJECT = { type: 'object', properties: { name: { type: 'string' } } };

function problems(schema: object, rule: string): readonly string[] {
  const field = { ...schema, 'x-kubernetes-validations': [{ rule, message: 'no' }] };
  return celErrors({ type: 'object', properties: { field } }, 'schema').map(({ message }) => message);
}

test('an object is compared with what it was, and with others of its kind', () => {
  // As the definition of a VolumeSnapshot has it: without this no home starts.
  assert.deepEqual(problems(OBJECT, 'self == oldSelf'), []);
  assert.deepEqual(problems(OBJECT, '!(self != oldSelf)'), []);
  assert.deepEqual(problems({ type: 'array', items: OBJECT }, 'self.all(one, one == self[0])'), []);
  assert.deepEqual(problems({ type: 'array', items: OBJECT }, 'self[0] in self'), []);
});

test('an object is not compared with what is none', () => {
  assert.match(problems(OBJECT, 'self == 1').join(), /found no matching overload for '_==_'/);
});

test('a field is asked for of any object, and must be one that the object can have', () => {
  const list = { type: 'array', items: OBJECT, maxItems: 3 };
  // As the definitions of the Gateway API have it.
  assert.deepEqual(problems(list, 'size(self) > 0 ? has(self[0].name) : true'), []);
  assert.match(problems(list, 'has(self[0].other)').join(), /undefined field 'other'/);
});

test('an object may be compared with null, a text may not', () => {
  assert.deepEqual(problems(OBJECT, 'self != null'), []);
  assert.match(problems(OBJECT, 'self.name == null').join(), /found no matching overload for '_==_'/);
});
