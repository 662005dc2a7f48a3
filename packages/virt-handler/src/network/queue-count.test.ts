import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interface, VMISpec } from '@podvisor/api';
import { queueCount } from './queue-count.ts';

const NIC: Interface = { name: 'default', masquerade: {} };
const spec = (domain: Omit<VMISpec['domain'], 'devices'>, networkInterfaceMultiqueue = true): VMISpec => ({
  domain: { ...domain, devices: { networkInterfaceMultiqueue } },
});

test('one queue for each vCPU, when it is asked for and the NIC is virtio', () => {
  assert.equal(queueCount({ spec: spec({ cpu: { sockets: 2, cores: 2 } }) }, NIC), 4);
  assert.equal(queueCount({ spec: spec({ cpu: { cores: 4 } }, false) }, NIC), 1);
  assert.equal(queueCount({ spec: spec({ cpu: { cores: 4 } }) }, { ...NIC, model: 'e1000e' }), 1);
  assert.equal(queueCount({ spec: spec({ cpu: { cores: 400 } }) }, NIC), 256);
});

test('without a topology the vCPUs come from the resources, as in the domain', () => {
  assert.equal(queueCount({ spec: spec({ resources: { requests: { cpu: '2500m' } } }) }, NIC), 3);
});

test('a domain that got more vCPUs keeps its queues when it moves', () => {
  const status = { interfaces: [{ name: 'default', queueCount: 1 }] };
  assert.equal(queueCount({ spec: spec({ cpu: { sockets: 2 } }), status }, NIC), 1);
});
