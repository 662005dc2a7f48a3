import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeRedirectPage } from './redirect-page.ts';

test('the key of the page is in a file of the user’s own, and in no argument', () => {
  const address = 'http://127.0.0.1:7000/#key=c2VjcmV0';
  let path: string;
  {
    using page = makeRedirectPage(address);
    assert.ok(!page.url.includes('c2VjcmV0'));
    path = fileURLToPath(page.url);
    assert.ok(readFileSync(path, 'utf8').includes(`url=${address}`));
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  }
  assert.ok(!existsSync(dirname(path)));
});
