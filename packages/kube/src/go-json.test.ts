import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goJson } from './go-json.ts';

test('strings are escaped as Go does it, and mean the same', () => {
  const value = { a: 'echo "x" > /y && <z>\u2028\n', b: [1, null, true] };
  const text = goJson(value);
  assert.equal(
    text,
    String.raw`{"a":"echo \"x\" \u003e /y \u0026\u0026 \u003cz\u003e\u2028\n","b":[1,null,true]}`,
  );
  assert.deepEqual(JSON.parse(text), value);
});
