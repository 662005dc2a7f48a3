import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, VirtualMachineInstanceMigration, VMIStatus } from '@podvisor/api';
import { podWith, vmiWith } from '../../testing/objects.ts';
import { isOwnPod } from './own-pods.ts';
import { launcherPodName } from './pod-name.ts';

const JOB = '00000000-0000-4000-8000-000000000009';
const migration: VirtualMachineInstanceMigration = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name: 'm', namespace: 'default', uid: JOB },
  spec: { vmiName: 'vm' },
};
const reference = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  name: 'vm',
  uid: 'vmi-uid',
  controller: true,
};
const named = (name: string, labels: Record<string, string> = {}, status: Pod['status'] = {}): Pod =>
  podWith(status, {
    name,
    ownerReferences: [reference],
    labels: { 'kubevirt.io/created-by': 'vmi-uid', ...labels },
  });
const target = (status: Pod['status'] = {}): Pod =>
  named(launcherPodName('vm', JOB), { 'kubevirt.io/migrationJobUID': JOB }, status);
const judge = (pod: Pod, status: VMIStatus = {}, migrations = [migration]): boolean =>
  isOwnPod(pod, vmiWith(status), migrations);

test('the Pod of the VMI, the one that goes before it, and that of a migration are ours', () => {
  assert.ok(judge(named(launcherPodName('vm', 'vmi-uid'))));
  assert.ok(judge(named(`${launcherPodName('vm', 'vmi-uid')}-provision`)));
  assert.ok(judge(target()));
});

test('a Pod of another name is not, whatever else it says', () => {
  assert.equal(judge(named('virt-launcher-vm-abcde')), false);
  assert.equal(judge(named('virt-launcher-vm-abcde', { 'kubevirt.io/migrationJobUID': JOB })), false);
});

test('a migration that nobody knows makes no Pod, unless the Pod is written down or has ended', () => {
  assert.equal(judge(target(), {}, []), false);
  assert.ok(judge(target(), { activePods: { 'pod-uid': 'node-1' } }, []));
  assert.ok(judge(target({ phase: 'Succeeded' }), {}, []));
});

test('what is written down still has to name its owner whole', () => {
  const forged = podWith({}, { ownerReferences: [{ ...reference, name: 'other' }] });
  assert.equal(judge(forged, { activePods: { 'pod-uid': 'node-1' } }), false);
});
