import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningHeaders } from './warning-headers.ts';

test('quotes and bytes', () => {
  assert.deepEqual(warningHeaders(['a "b" \\c', '', 'line\nbreak', 'ä']), [
    '299 - "a \\"b\\" \\\\c"',
    `299 - "${Buffer.from('ä').toString('latin1')}"`,
  ]);
});

test('one text has all the room', () => {
  assert.equal(warningHeaders(['x'.repeat(4096)])[0]?.length, 4096 + '299 - ""'.length);
});

test('more than the room: each is cut, and there is an end', () => {
  const texts = Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(300, 'x'));
  const headers = warningHeaders(texts);
  assert.equal(headers.length, 16);
  assert.ok(headers.every((text) => text.length === 256 + '299 - ""'.length));
  assert.equal(warningHeaders(['a', 'x'.repeat(5000)]).length, 2);
});
