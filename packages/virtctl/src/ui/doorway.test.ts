import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDoorway } from './doorway.ts';

test('the key of the page is in a file of the user’s own, and in no argument', () => {
  const address = 'http://127.0.0.1:7000/#key=c2VjcmV0';
  let path: string;
  {
    using doorway = makeDoorway(address);
    assert.ok(!doorway.url.includes('c2VjcmV0'));
    path = fileURLToPath(doorway.url);
    assert.ok(readFileSync(path, 'utf8').includes(`url=${address}`));
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  }
  assert.ok(!existsSync(dirname(path)));
});
