import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lines } from './lines.ts';

test('lines come whole, however they arrive', () => {
  const text = '{"a":1}\n{"b":2}\n\n{"c":3}\n';
  for (let size = 1; size <= text.length; size += 1) {
    const lines = new Lines();
    const seen: string[] = [];
    for (let at = 0; at < text.length; at += size) seen.push(...lines.push(text.slice(at, at + size)));
    assert.deepEqual(seen, ['{"a":1}', '{"b":2}', '{"c":3}']);
  }
});
