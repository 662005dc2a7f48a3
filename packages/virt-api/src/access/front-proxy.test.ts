import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identify, parseFrontProxyConfig } from './front-proxy.ts';

const config = parseFrontProxyConfig({
  'requestheader-client-ca-file': 'PEM',
  'requestheader-allowed-names': '["front-proxy-client"]',
});
const proxy = { authorized: true, commonName: 'front-proxy-client' };
const headers = [
  'X-Remote-User',
  'ann',
  'X-Remote-Group',
  'a, system:masters',
  'x-remote-group',
  'b',
  'X-Remote-Extra-Scopes%2Fx',
  'all',
];

test('the front proxy names the user, each header one value', () => {
  assert.deepEqual(identify(proxy, headers, config), {
    name: 'ann',
    groups: ['a, system:masters', 'b'],
    extra: { 'scopes/x': ['all'] },
  });
});

test('nobody else does', () => {
  for (const peer of [
    { authorized: false, commonName: 'front-proxy-client' },
    { authorized: true, commonName: 'someone' },
    { authorized: true },
  ]) {
    assert.equal(identify(peer, headers, config), undefined);
  }
  assert.equal(identify(proxy, headers, undefined), undefined);
  assert.equal(identify(proxy, ['X-Remote-Group', 'system:masters'], config), undefined);
});

test('without a CA there is no front proxy; an empty list of names allows any certificate of the CA', () => {
  assert.equal(parseFrontProxyConfig({}), undefined);
  const open = parseFrontProxyConfig({
    'requestheader-client-ca-file': 'PEM',
    'requestheader-allowed-names': '[]',
  });
  assert.equal(identify({ authorized: true, commonName: 'x' }, headers, open)?.name, 'ann');
  assert.throws(() =>
    parseFrontProxyConfig({ 'requestheader-client-ca-file': 'PEM', 'requestheader-allowed-names': '{}' }),
  );
});
