import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sysctlPath } from './sysctl.ts';

test('dots separate, but not in the name of a device', () => {
  assert.equal(sysctlPath('net.ipv4.ip_forward'), 'net/ipv4/ip_forward');
  assert.equal(sysctlPath('net.ipv4.conf.eth0.100.route_localnet'), 'net/ipv4/conf/eth0.100/route_localnet');
  assert.equal(sysctlPath('net.ipv4.neigh.br.0.proxy_delay'), 'net/ipv4/neigh/br.0/proxy_delay');
});
