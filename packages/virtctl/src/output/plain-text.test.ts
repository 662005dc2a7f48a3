import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLines, plainText, plainTexts } from './plain-text.ts';
import { table } from './table.ts';

const EVIL = 'web\u001b]0;title\u0007\r\n\u009b2Jx';

test('what others wrote moves no cursor', () => {
  assert.equal(plainText(EVIL), 'web ]0;title    2Jx');
  assert.equal(plainLines('a\u001b[2J\nb'), 'a [2J\nb');
  assert.equal(plainText('größe ✓'), 'größe ✓');
  assert.deepEqual(plainTexts({ a: [EVIL, 1, null], b: { c: true } }), {
    a: ['web ]0;title  \n 2Jx', 1, null],
    b: { c: true },
  });
});

test('nor does a cell of a table, nor is it a line of its own', () => {
  const text = table(['name'], [[EVIL]]);
  assert.equal(text.split('\n').length, 2);
  assert.ok(!/[^\P{Cc}\n]/u.test(text));
});
