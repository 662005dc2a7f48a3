import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenSealer, tokenEndMs } from './sealed-token.ts';

const CONTENT = { token: 'secret-token', untilMs: 2_000 };

test('what is sealed comes back under its host until its end, and nowhere else', () => {
  const sealer = new TokenSealer();
  const sealed = sealer.seal(CONTENT, 'page.example');
  assert.ok(!Buffer.from(sealed, 'base64url').includes(CONTENT.token));
  assert.deepEqual(sealer.unseal(sealed, 'page.example', 1_999), CONTENT);
  assert.equal(sealer.unseal(sealed, 'page.example', 2_000), undefined, 'over');
  assert.equal(sealer.unseal(sealed, 'evil.example', 0), undefined, 'another host');
  assert.equal(new TokenSealer().unseal(sealed, 'page.example', 0), undefined, 'another process');
});

test('nothing that was changed or made up is believed', () => {
  const sealer = new TokenSealer();
  const bytes = Buffer.from(sealer.seal(CONTENT, 'h'), 'base64url');
  for (let i = 0; i < bytes.length; i += 1) {
    const changed = Buffer.from(bytes);
    changed[i] = (changed[i] ?? 0) ^ 1;
    assert.equal(sealer.unseal(changed.toString('base64url'), 'h', 0), undefined, String(i));
  }
  for (const text of ['', 'AAAA', '%%%', 'x'.repeat(5_000), bytes.subarray(0, 28).toString('base64url')])
    assert.equal(sealer.unseal(text, 'h', 0), undefined, text);
});

test('a token that says when it ends', () => {
  const jwt = (claims: object): string => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
  assert.equal(tokenEndMs(jwt({ exp: 100 })), 100_000);
  for (const token of [jwt({}), jwt({ exp: 'soon' }), 'opaque', '', 'a.%%%.c', 'x.bnVsbA.y'])
    assert.equal(tokenEndMs(token), undefined, token);
});
