import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDialPolicy } from './dial-policy.ts';
import { checkRegistry, hostOfRegistry, isLocalRegistry } from './registry-host.ts';

test('the host of a registry', () => {
  for (const [registry, host] of [
    ['localhost:5000', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]:5000', '[::1]'],
    ['docker.io', 'docker.io'],
  ] as const)
    assert.equal(hostOfRegistry(registry), host);
});

test('only this machine is local: no name that begins like it', () => {
  for (const registry of [
    'localhost',
    'localhost:5000',
    '127.0.0.1:5000',
    '127.9.9.9',
    '[::1]:80',
    'podvisor.local',
  ])
    assert.ok(isLocalRegistry(registry), registry);
  for (const registry of [
    ...['localhost.evil.com', 'localhost.evil.com:5000', 'localhostx', '127.evil.com', '127.0.0.1.evil.com'],
    ...['podvisor.local.evil.com', 'podvisor.localx', 'docker.io', '10.0.0.1:5000'],
  ])
    assert.ok(!isLocalRegistry(registry), registry);
});

test('a tenant does not make the node dial itself; an administrator may allow it', async () => {
  for (const registry of [
    '127.0.0.1:5000',
    'localhost:5000',
    '2130706433',
    '0.0.0.0:80',
    '169.254.169.254',
    '[::1]:80',
  ])
    await assert.rejects(checkRegistry('x', registry, {}), { name: 'ImageError' }, registry);
  await checkRegistry('x', '127.0.0.1:5000', { allow: ['127.0.0.0/8'] });
  await checkRegistry('x', 'localhost:5000', { allow: ['127.0.0.0/8', '::1/128'] });
  await checkRegistry('x', '192.0.2.1:5000', {});
});

test("the administrator's setting is a list of prefixes", () => {
  const allow = ['127.0.0.0/8', '::1/128'];
  assert.deepEqual(parseDialPolicy(JSON.stringify({ allow })), { allow });
  for (const wrong of ['localhost', ['localhost'], ['127.0.0.1'], ['10.0.0.0/99'], [1], undefined])
    assert.throws(() => parseDialPolicy(JSON.stringify({ allow: wrong })), /addresses\.json/);
});
