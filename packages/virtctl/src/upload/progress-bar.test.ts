import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { barText, withBar } from './progress-bar.ts';

test('bytes, part, rate and time left', () => {
  const MIB = 1024 * 1024;
  assert.equal(
    barText(16 * MIB, 64 * MIB, 4000),
    '16.0 MiB / 64.0 MiB [=======>                      ] 25 % 4.0 MiB/s 12 s',
  );
  assert.match(barText(0, 0, 0), /\[={30}\] 100 %/);
});

test('all bytes pass, and nothing is drawn where nobody watches', async () => {
  async function* chunks(): AsyncIterable<Uint8Array> {
    yield Buffer.from('ab');
    yield Buffer.from('c');
  }
  const out = new PassThrough();
  const passed: Uint8Array[] = [];
  for await (const chunk of withBar(chunks(), 3, out, () => 0)) passed.push(chunk);
  assert.equal(Buffer.concat(passed).toString(), 'abc');
  assert.equal(out.read(), null);
});
