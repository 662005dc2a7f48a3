import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, type JsonObject, sortedText, sortKeys } from './json.ts';

test('keys are sorted at every depth, also inside lists, and values without one are left out', () => {
  const value: JsonObject = { b: [{ d: 1, c: 2 }], a: { z: null, y: [] }, gone: undefined };
  assert.equal(sortedText(value), '{"a":{"y":[],"z":null},"b":[{"c":2,"d":1}]}');
});

test('what is in order is the very same value; what is not shares the parts that are', () => {
  const inOrder: JsonObject = { a: [{ b: 1, c: 2 }], d: { e: 'f' } };
  assert.equal(sortKeys(inOrder), inOrder);
  const outer: JsonObject = { z: 1, a: inOrder };
  const sorted = sortKeys(outer) as JsonObject;
  assert.notEqual(sorted, outer);
  assert.equal(sorted['a'], inOrder);
});

test('nothing that comes in is changed', () => {
  const value: Json = { b: 1, a: [{ d: 1, c: 1 }] };
  const text = JSON.stringify(value);
  sortKeys(value);
  assert.equal(JSON.stringify(value), text);
});

test('a key called __proto__ is a key', () => {
  const value = JSON.parse('{"b":1,"__proto__":{"y":1,"x":2}}') as Json;
  assert.equal(sortedText(value), '{"__proto__":{"x":2,"y":1},"b":1}');
});
