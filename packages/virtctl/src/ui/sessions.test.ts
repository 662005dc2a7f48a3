import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sessions } from './sessions.ts';

const cookieOf = (header: string | undefined): string => (header ?? '').split(';')[0] ?? '';

test('a key opens one session, in a cookie that scripts and other sites cannot use', () => {
  const sessions = new Sessions();
  const key = sessions.issueKey();
  assert.equal(sessions.redeem('wrong'), undefined);
  const header = sessions.redeem(key);
  assert.match(header ?? '', /HttpOnly; SameSite=Strict/);
  assert.equal(sessions.redeem(key), undefined, 'a key is used up');
  assert.ok(sessions.has({ cookie: `other=1; ${cookieOf(header)}` }));
});

test('a cookie of the same name that somebody else set does not hide the session', () => {
  const sessions = new Sessions();
  const cookie = cookieOf(sessions.redeem(sessions.issueKey()));
  assert.ok(sessions.has({ cookie: `podvisor-ui=tossed; ${cookie}` }));
});

test('no session without the cookie, with another one, or after a new program', () => {
  const sessions = new Sessions();
  const cookie = cookieOf(sessions.redeem(sessions.issueKey()));
  for (const header of ['', 'podvisor-ui=', `${cookie}x`, cookie.slice(0, -1), 'podvisor-ui=AAAA'])
    assert.ok(!sessions.has({ cookie: header }), header);
  assert.ok(!sessions.has({}));
  assert.ok(!new Sessions().has({ cookie }));
  assert.equal(new Sessions().redeem(''), undefined, 'an empty key opens nothing');
});

test('a session ends for whoever has it, and for nobody else', () => {
  const sessions = new Sessions();
  const [first, second] = [1, 2].map(() => cookieOf(sessions.redeem(sessions.issueKey())));
  assert.match(sessions.end({ cookie: first }), /Max-Age=0/);
  assert.ok(!sessions.has({ cookie: first }));
  assert.ok(sessions.has({ cookie: second }));
});

test('a newer key replaces one that nobody used', () => {
  const sessions = new Sessions();
  const [first, second] = [sessions.issueKey(), sessions.issueKey()];
  assert.equal(sessions.redeem(first), undefined);
  assert.ok(sessions.redeem(second) !== undefined);
});
