import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say, sayJson, tell } from '../shell.ts';
import { testShell } from '../testing/test-shell.ts';
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

test('nor does any line of a command, whoever wrote it; colours of ours stay', () => {
  const shell = testShell();
  say(shell, `\u001b[31mfailed\u001b[39m: ${EVIL}`);
  tell(shell, `Warning: ${EVIL}\u001b[8mhidden`);
  assert.equal(shell.output(), '\u001b[31mfailed\u001b[39m: web ]0;title  \n 2Jx\n');
  assert.equal(shell.errors(), 'Warning: web ]0;title  \n 2Jx [8mhidden\n');
});

test('JSON keeps every character, and shows none that a terminal obeys', () => {
  const shell = testShell();
  sayJson(shell, { message: EVIL });
  assert.equal(shell.output().match(/[^\P{Cc}\n]/u), null);
  assert.deepEqual(JSON.parse(shell.output()), { message: EVIL });
});
