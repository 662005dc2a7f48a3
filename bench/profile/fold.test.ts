import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameGraph } from './flame.ts';
import { foldProfile, largestSelf, largestTotal } from './fold.ts';

const frame = (functionName: string, url = 'file:///b.mjs') => ({ functionName, url, lineNumber: 1 });

/** main → work (twice, from two places) → parse, one millisecond a sample. */
const PROFILE = {
  nodes: [
    { id: 1, callFrame: frame('(root)', ''), children: [2, 3, 6] },
    { id: 2, callFrame: frame('(idle)', '') },
    { id: 3, callFrame: frame('main'), children: [4] },
    { id: 4, callFrame: frame('work'), children: [5, 7] },
    { id: 5, callFrame: frame('parse', '') },
    { id: 6, callFrame: frame('work') },
    { id: 7, callFrame: frame('work') },
  ],
  samples: [2, 2, 3, 4, 5, 6, 7],
  timeDeltas: [0, 1000, 1000, 1000, 1000, 1000, 1000, 1000],
};

const fold = () => foldProfile('p', PROFILE, (url) => (url === '' ? '' : 'a/b.ts'));

test('time in which nothing ran is left out', () => {
  assert.equal(fold().total, 5);
});

test('costs are summed over all places, and a function that calls itself is counted once', () => {
  assert.deepEqual(largestSelf(fold(), 1), [{ name: 'work a/b.ts', amount: 3 }]);
  assert.deepEqual(largestTotal(fold(), 2), [
    { name: 'main a/b.ts', amount: 4 },
    { name: 'work a/b.ts', amount: 4 },
  ]);
});

test('a flame graph names its calls and escapes them', () => {
  const root = { name: 'p', total: 2, self: 0, calls: [{ name: 'a<b> x.ts', total: 2, self: 2, calls: [] }] };
  const svg = flameGraph([{ title: 'p & q', root }]);
  assert.match(svg, /<text [^>]*>a&lt;b&gt; x\.ts<\/text>/);
  assert.match(svg, /p &amp; q/);
});
