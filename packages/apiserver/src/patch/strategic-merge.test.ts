import assert from 'node:assert/strict';
import { test } from 'node:test';
import { library } from '../registry/library.ts';
import { strategicMerge } from './strategic-merge.ts';

const env = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));

test('items of a patch keep its order, the others stay where they stood', () => {
  const merge = (before: string[], patch: string[]): unknown =>
    strategicMerge(library.struct('Container'), { env: env(...before) }, { env: env(...patch) })['env'];
  assert.deepEqual(merge(['E', 'F'], ['F', 'G']), env('E', 'F', 'G'));
  assert.deepEqual(merge(['A'], ['N']), env('N', 'A'));
});
