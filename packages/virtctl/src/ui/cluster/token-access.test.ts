import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import type { HttpRequest, KubeClient } from '@podvisor/kube';
import { TokenAccess } from './token-access.ts';

const HOUR = 3_600_000;
const USERS: Readonly<Record<string, string>> = {
  good: 'jane',
  account: 'system:serviceaccount:vms:robot',
  stranger: 'system:anonymous',
};

/** An API server that knows three tokens, and what it was asked with. */
function server(): {
  readonly access: TokenAccess;
  readonly asked: string[];
  readonly clock: { at: number };
} {
  const asked: string[] = [];
  const clock = { at: 0 };
  const shared = {
    raw: async ({ headers, path }: HttpRequest) => {
      const header = headers?.['authorization'] ?? '';
      asked.push(`${path} ${header}`);
      const username = USERS[header.slice('Bearer '.length)];
      if (username === undefined) throw new StatusError('Unauthorized', 'Unauthorized');
      return {
        status: 201,
        headers: {},
        body: Buffer.from(JSON.stringify({ status: { userInfo: { username } } })),
      };
    },
  } as unknown as KubeClient;
  return { asked, clock, access: new TokenAccess({ server: 'https://api' }, () => clock.at, shared) };
}

const cookieOf = (header: string | undefined): string => (header ?? '').split(';')[0] ?? '';

test('a token that the API server knows opens a session in a cookie that is this host’s alone', async () => {
  const { access, asked } = server();
  const session = await access.open('account', { host: 'page' });
  assert.deepEqual({ ...session, cookie: '' }, { user: USERS['account'], namespace: 'vms', cookie: '' });
  assert.match(
    session?.cookie ?? '',
    /^__Host-podvisor-ui=[\w-]+; HttpOnly; Secure; SameSite=Strict; Path=\/$/,
  );
  assert.ok(!session?.cookie?.includes('account'));
  const headers = { host: 'page', cookie: cookieOf(session?.cookie) };
  assert.deepEqual(await access.open('', headers), { user: USERS['account'], namespace: 'vms' }, 'a reload');
  await access.clientOf(headers)?.request({ method: 'GET', path: '/x' });
  assert.equal(asked.at(-1), '/x Bearer account');
  assert.equal(access.clientOf({ ...headers, host: 'other' }), undefined);
  assert.match(access.close(), /Max-Age=0/);
});

test('nobody without a token of the API server’s', async () => {
  const { access } = server();
  for (const token of ['bad', 'stranger', 'has space', 'x'.repeat(3_000), 'a\r\nb'])
    await assert.rejects(
      access.open(token, { host: 'page' }),
      { code: 401, details: { kind: 'token' } },
      token,
    );
  assert.equal(await access.open('', { host: 'page' }), undefined);
  assert.equal(access.clientOf({ host: 'page', cookie: '__Host-podvisor-ui=made-up' }), undefined);
});

test('a session ends after a working day', async () => {
  const { access, clock } = server();
  const session = await access.open('good', { host: 'page' });
  const headers = { host: 'page', cookie: cookieOf(session?.cookie) };
  clock.at = 12 * HOUR - 1;
  assert.ok(access.clientOf(headers));
  clock.at = 12 * HOUR;
  assert.equal(access.clientOf(headers), undefined);
});

test('a proxy that logs people in sends their token with every request', async () => {
  const { access, asked } = server();
  const headers = { host: 'page', authorization: 'Bearer good' };
  assert.deepEqual(await access.open('', headers), { user: 'jane', namespace: 'default' });
  await access.clientOf(headers)?.request({ method: 'GET', path: '/y' });
  assert.equal(asked.at(-1), '/y Bearer good');
});
