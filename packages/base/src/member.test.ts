import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepEqual } from './deep-equal.ts';
import { memberOf, setMember } from './member.ts';

/** What every object inherits. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

test('an inherited member is not there', () => {
  for (const key of INHERITED) {
    assert.equal(memberOf({}, key), undefined, key);
    assert.equal(memberOf(undefined, key), undefined, key);
  }
  assert.equal(memberOf<string>({ a: 'b' }, 'a'), 'b');
});

test('a member of any name is written, read and copied as what it is', () => {
  for (const key of [...INHERITED, 'plain', '']) {
    const object: Record<string, unknown> = {};
    setMember(object, key, { x: 1 });
    assert.equal(Object.getPrototypeOf(object), Object.prototype, key);
    assert.deepEqual(Object.keys(object), [key]);
    assert.equal(JSON.stringify(object), `{${JSON.stringify(key)}:{"x":1}}`);
    assert.deepEqual(memberOf(object, key), { x: 1 });
    assert.deepEqual(Object.keys({ ...object }), [key]);
  }
});

test('objects that differ in such a member are not equal', () => {
  for (const key of INHERITED) {
    const object: Record<string, unknown> = {};
    setMember(object, key, 'x');
    const same: Record<string, unknown> = {};
    setMember(same, key, 'x');
    assert.ok(deepEqual(object, same), key);
    assert.ok(!deepEqual(object, {}), key);
    assert.ok(!deepEqual({}, object), key);
  }
});
