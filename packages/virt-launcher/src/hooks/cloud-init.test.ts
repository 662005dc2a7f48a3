import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { cloudInitForSidecar, cloudInitFromSidecar } from './cloud-init.ts';

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { domain: { devices: {} } },
};
const data = { userData: Buffer.from('#cloud-config'), sshKeys: ['ssh-a'] };
const none = new Uint8Array();

test('what a sidecar sees, and nothing changes when it gives it back', () => {
  const given = cloudInitForSidecar('noCloud', vmi, data, 'seed');
  assert.deepEqual(JSON.parse(given.cloudInitData.toString()), {
    DataSource: 'noCloud',
    NoCloudMetaData: {
      'instance-id': 'web.shop',
      'local-hostname': 'web',
      'public-keys': { '0': 'ssh-a' },
    },
    ConfigDriveMetaData: null,
    UserData: '#cloud-config',
    NetworkData: '',
    DevicesData: null,
    VolumeName: 'seed',
  });
  const back = cloudInitFromSidecar('noCloud', data, given);
  assert.equal(Buffer.from(back.userData).toString(), '#cloud-config');
  assert.equal(back.networkData, undefined);
});

test('new data counts, then the older form, then nothing', () => {
  const answer = Buffer.from(
    JSON.stringify({ UserData: 'new', NetworkData: 'net', NoCloudMetaData: { 'local-hostname': 'other' } }),
  );
  const edited = cloudInitFromSidecar('noCloud', data, {
    cloudInitData: answer,
    cloudInitNoCloudSource: none,
  });
  assert.deepEqual(
    [String(edited.userData), String(edited.networkData), edited.metaData],
    ['new', 'net', { 'local-hostname': 'other' }],
  );
  const older = Buffer.from(JSON.stringify({ userData: 'old way' }));
  const legacy = cloudInitFromSidecar('noCloud', data, {
    cloudInitData: none,
    cloudInitNoCloudSource: older,
  });
  assert.equal(String(legacy.userData), 'old way');
  assert.equal(
    cloudInitFromSidecar('noCloud', data, { cloudInitData: none, cloudInitNoCloudSource: none }),
    data,
  );
  assert.throws(
    () =>
      cloudInitFromSidecar('noCloud', data, {
        cloudInitData: Buffer.from('[]'),
        cloudInitNoCloudSource: none,
      }),
    /no object/,
  );
});
