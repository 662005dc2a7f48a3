import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCounts } from './counting-console.ts';

for (const [name, text, expected] of [
  ['nothing', '', { last: 0, missing: [], returns: 0 }],
  ['all of it', 'count-7.\r\ncount-8.\r\n', { last: 8, missing: [], returns: 0 }],
  ['a hole', 'count-1.\ncount-4.\n', { last: 4, missing: [2, 3], returns: 0 }],
  [
    'what was lost comes again, and more than that',
    'count-1.\ncount-2.\ncou\nconnected to hello console again.\ncount-1.\ncount-2.\ncount-3.\n',
    { last: 3, missing: [], returns: 1 },
  ],
] as const)
  test(`counting on a console: ${name}`, () => assert.deepEqual(readCounts(text), expected));
