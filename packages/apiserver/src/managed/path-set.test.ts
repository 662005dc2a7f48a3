import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pathSet } from './managers.ts';
import { fromFieldsV1, type PathSet, pathText, toFieldsV1 } from './path-set.ts';

const step = fc.oneof(
  fc.constantFrom('f:metadata', 'f:spec', 'f:constructor', 'f:__proto__', 'f:a.b', 'v:"x"', 'v:1'),
  fc.constantFrom('k:{"name":"a"}', 'k:{"containerPort":80,"protocol":"TCP"}'),
);
const paths = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

/** A set as the texts of its members, in order. */
function listed(set: PathSet, above: readonly string[] = []): string[] {
  const own = [...set.members].map((member) => JSON.stringify([...above, member]));
  const below = [...set.children].flatMap(([name, child]) => listed(child, [...above, name]));
  return [...own, ...below].toSorted();
}

test('fieldsV1 gives back the set that was written', () => {
  fc.assert(
    fc.property(paths, (given) => {
      const set = pathSet(given);
      assert.deepEqual(listed(fromFieldsV1(JSON.parse(JSON.stringify(toFieldsV1(set))))), listed(set));
    }),
  );
});

test('union, intersection and difference are those of sets of paths', () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [pathSet(left), pathSet(right)];
      const [inA, inB] = [listed(a), listed(b)];
      assert.deepEqual(listed(a.union(b)), [...new Set([...inA, ...inB])].toSorted());
      assert.deepEqual(
        listed(a.intersection(b)),
        inA.filter((path) => inB.includes(path)),
      );
      assert.deepEqual(
        listed(a.difference(b)),
        inA.filter((path) => !inB.includes(path)),
      );
    }),
  );
});

test('operations leave their sets as they were', () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [pathSet(left), pathSet(right)];
      const before = [listed(a), listed(b)];
      a.union(b);
      a.intersection(b);
      a.difference(b);
      assert.deepEqual([listed(a), listed(b)], before);
    }),
  );
});

test('paths are told as people read them', () => {
  assert.equal(
    pathText(['f:spec', 'f:containers', 'k:{"name":"a"}', 'f:image']),
    '.spec.containers[name="a"].image',
  );
});
