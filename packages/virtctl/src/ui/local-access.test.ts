import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeClient } from '@podvisor/kube';
import { LocalAccess } from './local-access.ts';

const client = {} as KubeClient;

test('each program has a name of its own, and answers to no other', async () => {
  const [one, two] = [new LocalAccess(client, 'vms'), new LocalAccess(client, 'vms')];
  const [first, second] = [new URL(one.address(7000)), new URL(two.address(7000))];
  assert.match(first.host, /^[0-9a-f]{32}\.localhost:7000$/);
  assert.ok(one.isOwnHost(first.host));
  for (const host of [second.host, '127.0.0.1:7000', 'localhost:7000', `${first.hostname}:7001`])
    assert.ok(!one.isOwnHost(host), host);
});

test('the key of the address opens a session with the rights of the program', async () => {
  const access = new LocalAccess(client, 'vms');
  const key = new URL(access.address(7000)).hash.slice('#key='.length);
  assert.equal(await access.open('', {}), undefined);
  assert.equal(access.clientOf({}), undefined);
  const session = await access.open(key, {});
  assert.equal(session?.namespace, 'vms');
  const headers = { cookie: session?.cookie?.split(';')[0] ?? '' };
  assert.equal(access.clientOf(headers), client);
  assert.deepEqual(await access.open('', headers), { namespace: 'vms' }, 'a reload');
  access.close(headers);
  assert.equal(access.clientOf(headers), undefined);
});
