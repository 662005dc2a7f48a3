import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Network, Pod, VirtualMachineInstance } from '@podvisor/api';
import { addressChange } from './kept-addresses.ts';

const vmiOn = (...networks: Network[]): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec: { domain: { devices: {} }, networks },
});
const pod = (...ips: string[]): Pod => ({
  metadata: { name: 'p' },
  spec: { containers: [] },
  status: ips.length === 0 ? {} : { podIP: ips[0] ?? '', podIPs: ips.map((ip) => ({ ip })) },
});
const own: Network = { name: 'default', pod: {} };

test('addresses that are not kept are told, with both', () => {
  const told = addressChange(vmiOn(own), pod('10.1.0.7', 'fd00::7'), pod('10.2.0.5', 'fd00::7'));
  assert.match(told ?? '', /10\.1\.0\.7, fd00::7 becomes 10\.2\.0\.5, fd00::7/);
});

test('nothing is told where they are kept, not known, or nobody’s business', () => {
  assert.equal(addressChange(vmiOn(own), pod('10.1.0.7'), pod('10.1.0.7')), undefined);
  assert.equal(addressChange(vmiOn(own), undefined, pod('10.1.0.7')), undefined);
  assert.equal(addressChange(vmiOn(own), pod('10.1.0.7'), pod()), undefined);
  const further: Network = { name: 'blue', multus: { networkName: 'blue' } };
  assert.equal(addressChange(vmiOn(further), pod('10.1.0.7'), pod('10.2.0.5')), undefined);
});
