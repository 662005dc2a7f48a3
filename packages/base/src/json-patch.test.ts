import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyJsonPatch,
  JSON_PATCH_LIMITS,
  JsonPatchError,
  type JsonPatchOperation,
  MAX_JSON_DEPTH,
} from './json-patch.ts';

function patched(object: object, ...operations: JsonPatchOperation[]): unknown {
  const copy = structuredClone(object);
  applyJsonPatch(copy, operations);
  return copy;
}

function assertRefused(object: object, ...operations: JsonPatchOperation[]): void {
  assert.throws(
    () => patched(object, ...operations),
    JsonPatchError,
    JSON.stringify(operations).slice(0, 100),
  );
}

test('operations as RFC 6902 has them', () => {
  const list = { l: ['a', 'b'], o: { 'x/y': 1, 'm~n': 2 } };
  for (const [operation, expected] of [
    [
      { op: 'add', path: '/l/1', value: 'n' },
      { ...list, l: ['a', 'n', 'b'] },
    ],
    [
      { op: 'add', path: '/l/-', value: 'n' },
      { ...list, l: ['a', 'b', 'n'] },
    ],
    [
      { op: 'add', path: '/l/2', value: 'n' },
      { ...list, l: ['a', 'b', 'n'] },
    ],
    [
      { op: 'remove', path: '/l/0' },
      { ...list, l: ['b'] },
    ],
    [
      { op: 'replace', path: '/o/x~1y', value: 9 },
      { ...list, o: { 'x/y': 9, 'm~n': 2 } },
    ],
    [
      { op: 'remove', path: '/o/m~0n' },
      { ...list, o: { 'x/y': 1 } },
    ],
    [
      { op: 'move', from: '/l/0', path: '/o/z' },
      { l: ['b'], o: { ...list.o, z: 'a' } },
    ],
    [
      { op: 'copy', from: '/o', path: '/p' },
      { ...list, p: list.o },
    ],
    [{ op: 'test', path: '/l', value: ['a', 'b'] }, list],
  ] as const)
    assert.deepEqual(patched(list, operation), expected, JSON.stringify(operation));
});

test("where Kubernetes' library is more lenient, so are we", () => {
  const object = { l: ['a', 'b'], n: null };
  for (const [operation, expected] of [
    [
      { op: 'replace', path: '/new', value: 1 },
      { ...object, new: 1 },
    ],
    [
      { op: 'copy', from: '/missing', path: '/new' },
      { ...object, new: null },
    ],
    [
      { op: 'add', path: '/new' },
      { ...object, new: null },
    ],
    [{ op: 'test', path: '/missing', value: null }, object],
    [{ op: 'test', path: '/n' }, object],
    [
      { op: 'remove', path: '/l/-1' },
      { ...object, l: ['a'] },
    ],
    [
      { op: 'add', path: 'ignored/new', value: 1 },
      { ...object, new: 1 },
    ],
  ] as const)
    assert.deepEqual(patched(object, operation), expected, JSON.stringify(operation));
});

test('what does not apply is refused', () => {
  for (const operation of [
    {},
    { op: 'increment', path: '/a' },
    { op: 'constructor', path: '/a' },
    { op: 'add', value: 1 },
    { op: 'add', path: '', value: 1 },
    { op: 'add', path: 'a', value: 1 },
    { op: 'add', path: '/a/b', value: 1 },
    { op: 'add', path: '/missing/b', value: 1 },
    { op: 'add', path: '/l/3', value: 1 },
    { op: 'add', path: '/l/x', value: 1 },
    { op: 'add', path: '/l/length', value: 0 },
    { op: 'add', path: '/l/1.5', value: 0 },
    { op: 'replace', path: '/l/-', value: 1 },
    { op: 'remove', path: '/missing' },
    { op: 'move', path: '/x' },
    { op: 'move', from: '/missing', path: '/x' },
    { op: 'test', path: '/a', value: 2 },
    { op: 'test', path: '', value: {} },
  ])
    assertRefused({ a: 1, l: [1, 2] }, operation);
});

test('paths lead through own members only', () => {
  for (const path of [
    '/__proto__/polluted',
    '/constructor/prototype/polluted',
    '/l/__proto__/polluted',
    '/o/toString/polluted',
    '/o/hasOwnProperty/call',
  ])
    for (const op of ['add', 'replace', 'remove', 'test', 'move', 'copy'])
      assertRefused({ l: [], o: {} }, { op, path, from: path, value: 1 });
  assert.equal(Reflect.get({}, 'polluted'), undefined);
  assert.equal(JSON.stringify(patched({}, { op: 'add', path: '/__proto__', value: 1 })), '{"__proto__":1}');
});

test('copies are bounded together', () => {
  const doubling = Array.from({ length: 62 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }));
  assertRefused({ a: { x: 'x'.repeat(100) } }, ...doubling);
  const nested = Array.from({ length: 62 }, (_, i) => ({ op: 'copy', from: '/a', path: `/a/c${i}` }));
  const before = process.cpuUsage();
  assertRefused({ a: { x: 'x'.repeat(100) } }, ...nested);
  assert.ok(process.cpuUsage(before).user < 1_000_000);
  const half = 'é'.repeat(JSON_PATCH_LIMITS.copiedBytes / 4);
  const copy = (i: number): JsonPatchOperation => ({ op: 'copy', from: '/a', path: `/b${i}` });
  patched({ a: half }, copy(1));
  assertRefused({ a: half }, copy(1), copy(2));
});

test('ten thousand insertions before a long list end in time', () => {
  const before = process.cpuUsage();
  const first = { op: 'add', path: '/l', value: Array.from({ length: 700_000 }, () => 0) };
  assertRefused({}, first, ...Array.from({ length: 9_999 }, () => ({ op: 'add', path: '/l/0', value: 1 })));
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

test('what moves and copies nest too deeply is refused', () => {
  const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
  const half = deep(600);
  const path = '/a'.repeat(600);
  assertRefused({ x: half, ...half }, { op: 'move', from: '/x', path: `${path}/x` });
  assertRefused({ x: half, ...half }, { op: 'add', path: `${path}/y`, value: half });
  assertRefused(deep(MAX_JSON_DEPTH), { op: 'add', path: `${'/a'.repeat(MAX_JSON_DEPTH)}/y`, value: {} });
});
