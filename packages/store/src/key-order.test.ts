import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { KeyOrder } from './key-order.ts';

interface Value {
  readonly key: string;
  readonly turn: number;
}

const name = fc.constantFrom('a/', 'a/b', 'a/bc', 'a/c', 'b/', 'b/a', 'b/aa', 'ba/a', 'c/z');
const change = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), key: name }),
  fc.record({ kind: fc.constant('delete' as const), key: name }),
  fc.record({ kind: fc.constant('list' as const), key: fc.constant('') }),
);

describe('KeyOrder', () => {
  test('is what sorting all values anew would give, whenever it is asked', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 40 }),
        fc.constantFrom(undefined, 'a/', 'b/', 'x/'),
        (all, prefix) => {
          const values = new Map<string, Value>();
          const order = new KeyOrder<Value>();
          for (const [turn, { kind, key }] of all.entries()) {
            if (kind === 'put') {
              const value = { key, turn };
              values.set(key, value);
              order.put(value);
            } else if (kind === 'delete') {
              values.delete(key);
              order.delete(key);
            }
            if (kind !== 'list') continue;
            const expected = [...values.values()]
              .filter((value) => prefix === undefined || value.key.startsWith(prefix))
              .sort((a, b) => (a.key < b.key ? -1 : 1));
            assert.deepEqual(order.list(values.values(), prefix), expected);
          }
        },
      ),
    );
  });

  test('a list that was given stays as it was', () => {
    const values = new Map([['a', { key: 'a', turn: 1 }]]);
    const order = new KeyOrder<Value>();
    const given = order.list(values.values());
    order.put({ key: 'b', turn: 2 });
    order.put({ key: 'a', turn: 3 });
    order.delete('a');
    assert.deepEqual(given, [{ key: 'a', turn: 1 }]);
    assert.deepEqual(order.list([]), [{ key: 'b', turn: 2 }]);
  });

  test('changes before the first list cost nothing and are in it', () => {
    const order = new KeyOrder<Value>();
    order.put({ key: 'ignored', turn: 0 });
    assert.deepEqual(
      order.list([
        { key: 'b', turn: 1 },
        { key: 'a', turn: 2 },
      ]),
      [
        { key: 'a', turn: 2 },
        { key: 'b', turn: 1 },
      ],
    );
  });
});
