import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestReader } from './requests.ts';

const read = (...chunks: string[]): readonly string[] => {
  const reader = new RequestReader();
  return chunks.flatMap((chunk) => [...reader.read(Buffer.from(chunk, 'latin1'))]);
};

test('a request is a line and an empty line, however its bytes come', () => {
  assert.deepEqual(read('GET /metrics/XML\n\n'), ['metrics']);
  assert.deepEqual(read('GET /met', 'rics/XML\r\n', '\r', '\n'), ['metrics']);
  assert.deepEqual(read('GET /metrics/XML\n\nGET /metrics/XML\n\n'), ['metrics', 'metrics']);
});

test('anything else is one mistake', () => {
  assert.deepEqual(read('PUT /metrics/XML\n\n'), ['invalid']);
  assert.deepEqual(read('GET /metrics/JSON\n\n'), ['invalid']);
  assert.deepEqual(read('GET /metrics/XML\nmore\n'), ['invalid']);
  assert.deepEqual(read(`${'x'.repeat(1_000_000)}\n\n`, 'GET /metrics/XML\n\n'), ['invalid', 'metrics']);
});
