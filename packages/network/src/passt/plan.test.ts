import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BindingSpec } from '../binding.ts';
import { planPasst } from './plan.ts';

const nic = { name: 'eth0', mac: '0a:00:00:00:00:01', mtu: 1500, routes: [] };
const spec = (more: Partial<BindingSpec>): BindingSpec => ({
  interface: { name: 'default', passtBinding: {} },
  network: { name: 'default', pod: {} },
  index: 0,
  queueCount: 1,
  guest: { hostname: 'vm', dnsServers: [], searchDomains: ['x.svc'] },
  ...more,
});

test('no bridge and no TAP: settings, ports and a MAC address that is not the Pod’s', () => {
  const { actions, attachment } = planPasst(spec({}), nic);
  assert.deepEqual(
    actions.map(({ kind }) => kind),
    ['sysctl'],
  );
  assert.deepEqual(attachment.passt, { tcpPorts: 'all', udpPorts: 'all', searchDomains: ['x.svc'] });
  assert.match(attachment.mac, /^02:/);
  assert.equal(attachment.tapDevice, undefined);
});

test('listed ports only; the MAC address of the spec, or the one that the guest brought along', () => {
  const ports = [{ port: 80 }, { port: 53, protocol: 'UDP' }];
  const listed = planPasst(spec({ interface: { name: 'default', passtBinding: {}, ports } }), nic);
  assert.deepEqual(listed.attachment.passt?.tcpPorts, [80]);
  assert.deepEqual(listed.attachment.passt?.udpPorts, [53]);
  assert.equal(planPasst(spec({ knownMac: '02:00:00:00:00:09' }), nic).attachment.mac, '02:00:00:00:00:09');
});
