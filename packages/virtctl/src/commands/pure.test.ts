/** The deciding parts of single commands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sshSecretsOf, withoutKey } from '../credentials/secrets.ts';
import { verbosityLines, verbosityPatch } from './adm.ts';
import { serviceSpec } from './expose.ts';
import { hasRefused } from '../upload/worker.ts';
import { claimSize, dumpShare } from './storage/memory-dump.ts';
import { nodeSelector } from './migrate.ts';
import { hotplugDisk } from './storage/volumes.ts';

test('log verbosity: shown with defaults, set beside what is set, reset to nothing', () => {
  const kubevirt = { spec: { configuration: { developerConfiguration: { logVerbosity: { virtAPI: 5 } } } } };
  assert.deepEqual(
    verbosityLines(
      kubevirt,
      new Map([
        ['virt-api', true],
        ['virt-handler', true],
      ]),
    ),
    ['virt-api=5', 'virt-handler=2'],
  );
  const path = '/spec/configuration/developerConfiguration/logVerbosity';
  assert.deepEqual(verbosityPatch(kubevirt, new Map([['virt-handler', 7]]), false), [
    { op: 'add', path, value: { virtAPI: 5, virtHandler: 7 } },
  ]);
  assert.deepEqual(verbosityPatch(kubevirt, new Map(), true), [{ op: 'add', path, value: {} }]);
  assert.deepEqual(verbosityPatch({}, new Map(), true), []);
  assert.equal(verbosityPatch({}, new Map([['all', 3]]), false).length, 2);
});

test('services', () => {
  const flags = {
    name: 's',
    port: '80',
    targetPort: 'http',
    protocol: 'udp',
    type: 'NodePort',
    ipFamily: 'ipv4,IPv6',
    ipFamilyPolicy: 'preferdualstack',
  };
  assert.deepEqual(serviceSpec(flags), {
    ports: [{ protocol: 'UDP', port: 80, targetPort: 'http' }],
    type: 'NodePort',
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'PreferDualStack',
  });
  assert.throws(() => serviceSpec({ ...flags, type: 'ExternalName' }), /type: ExternalName not supported/);
  assert.throws(() => serviceSpec({ ...flags, protocol: 'x' }), /unknown protocol: x/);
});

test('the claim for a memory dump holds memory, data and what a file system takes', () => {
  const vmi = { spec: { domain: { memory: { guest: '1Gi' } } } };
  assert.equal(claimSize(vmi, undefined, undefined), '1186Mi');
  const config = { status: { filesystemOverhead: { global: '0', storageClass: { fast: '0.5' } } } };
  assert.equal(claimSize(vmi, config, undefined), '1124Mi');
  assert.equal(claimSize(vmi, config, 'fast'), '1686Mi');
});

test('hotplugged disks', () => {
  const flags = { volumeName: 'v', diskType: 'lun', bus: 'scsi', cache: 'none', diskName: 'd' };
  assert.deepEqual(hotplugDisk(flags), {
    name: 'd',
    disk: { name: '', lun: { bus: 'scsi' }, serial: 'd', cache: 'none' },
  });
  assert.throws(() => hotplugDisk({ ...flags, bus: 'sata' }), /Invalid bus type 'sata' for LUN disk/);
  assert.throws(() => hotplugDisk({ ...flags, cache: 'x' }), /invalid cache value x/);
});

test('node selectors', () => {
  assert.deepEqual(nodeSelector(['a=b,c=d']), { addedNodeSelector: { a: 'b', c: 'd' } });
  assert.throws(() => nodeSelector(['a']), /must be key=value/);
});

test('keys in secrets', () => {
  const vm = {
    metadata: { uid: 'u' },
    spec: {
      template: {
        spec: {
          accessCredentials: [
            {
              sshPublicKey: {
                source: { secret: { secretName: 's' } },
                propagationMethod: { qemuGuestAgent: { users: ['joe'] } },
              },
            },
          ],
        },
      },
    },
  };
  assert.deepEqual(sshSecretsOf(vm, 'joe'), ['s']);
  assert.deepEqual(sshSecretsOf(vm, 'ann'), []);
  assert.equal(withoutKey('ssh-rsa A x\n\nssh-rsa B y\n', 'ssh-rsa A'), 'ssh-rsa B y');
});

test('how far a memory dump is, when the launcher says so', () => {
  assert.deepEqual(dumpShare({ 'dump.bytes': 5, 'balloon.maximum': 2 }), { bytes: 5, total: 2048 });
  for (const stats of [undefined, {}, { 'balloon.maximum': 2 }]) assert.equal(dumpShare(stats), undefined);
});

test('an upload is refused as soon as its Pod has ended with a reason, not when it starts again', () => {
  const begun = { phase: 'Running', isReady: true, restarts: 0, problem: '' };
  const ended = { ...begun, isReady: false, problem: 'too large' };
  const again = { ...begun, restarts: 1, problem: 'too large' };
  assert.equal(hasRefused(begun, begun), false);
  assert.equal(hasRefused(begun, ended), true);
  assert.equal(hasRefused(begun, again), true);
  // What it said of an earlier upload is not about this one.
  assert.equal(hasRefused(again, again), false);
  assert.equal(hasRefused({ ...again, isReady: false }, ended), false);
  assert.equal(hasRefused(again, { ...again, isReady: false, phase: 'Succeeded' }), false);
});
