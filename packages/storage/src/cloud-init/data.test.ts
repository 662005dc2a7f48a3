import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { guestHostname } from '../hostname.ts';
import { type CloudInitData, cloudInitFiles, cloudInitVolume } from './data.ts';

const vmi = (
  changes: Partial<VirtualMachineInstance['spec']> = {},
  name = 'web.shop.example',
): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name, namespace: 'shop', annotations: { 'kubevirt.io/instancetype-name': 'small' } },
  spec: { domain: { devices: {}, firmware: { uuid: 'u-1' } }, ...changes },
});
const data: CloudInitData = {
  userData: Buffer.from('#!x'),
  networkData: Buffer.from('n'),
  sshKeys: ['ssh-a', 'ssh-b'],
};

function contents(kind: 'noCloud' | 'configDrive', input: CloudInitData = data): Record<string, string> {
  return Object.fromEntries(
    cloudInitFiles(kind, vmi(), input).map((f) => [f.name, Buffer.from(f.content).toString()]),
  );
}

describe('cloud-init', () => {
  test('NoCloud', () => {
    const files = contents('noCloud');
    assert.deepEqual(JSON.parse(files['meta-data'] ?? ''), {
      'instance-type': 'small',
      'instance-id': 'u-1',
      'local-hostname': 'web',
      'public-keys': { '0': 'ssh-a', '1': 'ssh-b' },
    });
    assert.deepEqual([files['user-data'], files['network-config']], ['#!x', 'n']);
  });

  test('without data there is still user-data, and no network file', () => {
    const files = contents('noCloud', { userData: new Uint8Array(), sshKeys: [] });
    assert.deepEqual(Object.keys(files), ['meta-data', 'user-data']);
  });

  test('ConfigDrive', () => {
    const files = contents('configDrive');
    assert.deepEqual(
      Object.keys(files),
      ['meta_data.json', 'user_data', 'network_data.json'].map((f) => `openstack/latest/${f}`),
    );
    assert.deepEqual(JSON.parse(files['openstack/latest/meta_data.json'] ?? ''), {
      instance_type: 'small',
      instance_id: 'web.shop.example.shop',
      hostname: 'web',
      uuid: 'u-1',
      public_keys: { '0': 'ssh-a', '1': 'ssh-b' },
    });
  });

  test('the first cloud-init volume counts', () => {
    const found = cloudInitVolume([
      { name: 'a', emptyDisk: { capacity: '1Gi' } },
      { name: 'b', cloudInitConfigDrive: {} },
      { name: 'c', cloudInitNoCloud: {} },
    ]);
    assert.deepEqual([found?.volume.name, found?.kind], ['b', 'configDrive']);
  });

  test('host names', () => {
    assert.equal(guestHostname(vmi()), 'web');
    assert.equal(guestHostname(vmi({ hostname: 'given' })), 'given');
    assert.equal(guestHostname(vmi({}, `${'a'.repeat(62)}--more`)), 'a'.repeat(62));
  });
});
