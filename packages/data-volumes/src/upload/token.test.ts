import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { UploadTokens } from './token.ts';

const target = { namespace: 'ns', claim: 'disk' };

test('a token opens one claim for five minutes', () => {
  const clock = new FakeClock(1_000_000);
  const tokens = new UploadTokens(Buffer.alloc(32, 1), clock);
  const token = tokens.issue(target);
  assert.deepEqual(tokens.check(token), target);
  clock.advance(299_000);
  assert.deepEqual(tokens.check(token), target);
  clock.advance(2_000);
  assert.equal(tokens.check(token), undefined);
});

test('tokens of others, changed ones and nonsense are refused', () => {
  const clock = new FakeClock(1_000_000);
  const tokens = new UploadTokens(Buffer.alloc(32, 1), clock);
  const others = new UploadTokens(Buffer.alloc(32, 2), clock);
  const [header = '', , signature = ''] = tokens.issue(target).split('.');
  const body = Buffer.from(JSON.stringify({ namespace: 'kube-system', name: 'x', exp: 9e9 })).toString(
    'base64url',
  );
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  for (const token of [
    others.issue(target),
    `${header}.${body}.${signature}`,
    `${none}.${body}.`,
    '',
    '..',
    'a.b.c',
  ])
    assert.equal(tokens.check(token), undefined);
});
