import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { networkDevices } from './network-devices.ts';

const vmi = (nic: object): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'v' },
  spec: {
    domain: { devices: { interfaces: [{ name: 'fast', ...nic }] } },
    networks: [{ name: 'fast', multus: { networkName: 'vf' } }],
  },
});
const info = JSON.stringify({
  interfaces: [{ network: 'fast', deviceInfo: { type: 'pci', pci: { 'pci-address': '0000:3b:02.1' } } }],
});
const { signal } = new AbortController();

test('the launcher waits for the names of its devices', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'network-devices-'));
  t.after(() => rm(directory, { recursive: true }));
  const file = join(directory, 'network-info');
  await writeFile(file, '');
  await assert.rejects(networkDevices(vmi({ sriov: {} }), directory, signal, 20), /SR-IOV networks fast/);
  const coming = networkDevices(vmi({ sriov: {} }), directory, signal);
  await writeFile(file, info);
  const [device] = await coming;
  assert.equal(device?.source?.address?.bus, '0x3b');
  assert.equal((await networkDevices(vmi({ sriov: {} }), directory, signal)).length, 1);
});

test('a VMI without SR-IOV waits for nothing', async () => {
  assert.deepEqual(await networkDevices(vmi({ bridge: {} }), '/nowhere', signal), []);
});
