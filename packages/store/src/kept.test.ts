import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Kept } from './kept.ts';

interface Value {
  readonly name: string;
}

/** A codec that counts what it decodes. */
function counting(): { codec: ConstructorParameters<typeof Kept<Value>>[0]; decoded: () => number } {
  let decoded = 0;
  return {
    codec: {
      decode: (text) => {
        decoded += 1;
        return JSON.parse(text) as Value;
      },
      deletedAt: (object, revision) => ({ object, text: String(revision) }),
    },
    decoded: () => decoded,
  };
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What was looked at stays until the end of the turn.
  await turn();
  collect();
  await turn();
}

const FORM = { key: 'apps/things/a/b', revision: 3, text: '{"name":"b"}' };

test('a value is made of its text when it is asked for, and once while it is used', () => {
  const { codec, decoded } = counting();
  const kept = new Kept(codec, FORM);
  assert.equal(decoded(), 0);
  const value = kept.object;
  assert.deepEqual(value, { name: 'b' });
  assert.equal(kept.object, value);
  assert.equal(decoded(), 1);
});

test('a value that nobody uses is forgotten, and made anew', async () => {
  const { codec, decoded } = counting();
  const kept = new Kept(codec, FORM, { name: 'b' });
  await collectGarbage();
  assert.deepEqual(kept.object, { name: 'b' });
  assert.equal(decoded(), 1);
});

test('a value that is held stays the same one', async () => {
  const { codec, decoded } = counting();
  const kept = new Kept(codec, FORM, { name: 'b' });
  kept.hold();
  await collectGarbage();
  assert.equal(kept.object, kept.object);
  assert.equal(decoded(), 0);
});
