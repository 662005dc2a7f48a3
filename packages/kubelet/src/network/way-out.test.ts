import assert from 'node:assert/strict';
import { test } from 'node:test';
import { masqueradeRules } from './way-out.ts';

test('Pods keep their address among themselves and take the node’s towards the world', () => {
  const rules = masqueradeRules('demo', '10.42.0.0/16');
  assert.match(rules, /ip saddr 10\.42\.0\.0\/16 ip daddr != 10\.42\.0\.0\/16 .* masquerade/);
  assert.match(
    rules,
    /^table ip podvisor-demo\ndelete table ip podvisor-demo\n/,
    'replaces what was there, in one transaction',
  );
  assert.match(
    masqueradeRules('demo', 'fd00:42::/64'),
    /^table ip6 podvisor-demo\n[^]*ip6 saddr fd00:42::\/64 ip6 daddr != fd00:42::\/64 .* masquerade/,
  );
});
