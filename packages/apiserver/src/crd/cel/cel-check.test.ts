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

test('rules do not see what the schema says nothing of', () => {
  const anything = { 'x-kubernetes-preserve-unknown-fields': true };
  const object = { type: 'object', properties: { any: anything, list: { type: 'array', items: anything } } };
  assert.match(problems(object, 'has(self.any)').join(), /undefined field 'any'/);
  assert.match(problems(object, 'size(self.list) > 0').join(), /undefined field 'list'/);
  assert.match(
    problems(anything, 'self.a == 1').join(),
    /^Internal error: .* unable to convert structural schema/,
  );
  // An object without properties is one.
  assert.deepEqual(
    problems({ type: 'object', properties: { any: { type: 'object' } } }, 'has(self.any)'),
    [],
  );
});

test('an embedded resource has the names that every object has, and no more of its metadata', () => {
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  assert.deepEqual(problems(embedded, "self.metadata.name != '' && self.kind == 'Pod'"), []);
  assert.match(problems(embedded, 'has(self.metadata.labels)').join(), /undefined field 'labels'/);
});
