import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineClone, VirtualMachineRestore, VirtualMachineSnapshot } from '@podvisor/api';
import { vmWith } from '../../testing/objects.ts';
import { type CloneObservation, type ClonePlan, planClone } from './reconcile.ts';

const clone = (kind: 'VirtualMachine' | 'VirtualMachineSnapshot', name: string): VirtualMachineClone => ({
  apiVersion: 'clone.kubevirt.io/v1beta1',
  kind: 'VirtualMachineClone',
  metadata: { name: 'c', namespace: 'n', uid: 'u' },
  spec: { source: { kind, name }, target: { kind: 'VirtualMachine', name: 'copy' } },
});
const vm = vmWith();
const snapshot = (status: VirtualMachineSnapshot['status']): VirtualMachineSnapshot => ({
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineSnapshot',
  metadata: { name: 's' },
  spec: { source: { kind: 'VirtualMachine', name: 'vm' } },
  status,
});
const restore = (status: VirtualMachineRestore['status']): VirtualMachineRestore => ({
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineRestore',
  spec: { target: { kind: 'VirtualMachine', name: 'copy' }, virtualMachineSnapshotName: 's' },
  status,
});
const taken = snapshot({ readyToUse: true, virtualMachineSnapshotContentName: 'content' });
const content = {
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineSnapshotContent',
  spec: { source: { virtualMachine: { metadata: { name: 'vm' }, spec: vm.spec } } },
} as const;
const plan = (more: Partial<CloneObservation>): ClonePlan =>
  planClone({
    clone: clone('VirtualMachine', 'vm'),
    source: vm,
    snapshot: undefined,
    content: undefined,
    restore: undefined,
    copy: undefined,
    nowMs: 0,
    ...more,
  });

test('a clone takes a snapshot, restores it under the other name, and is done when the copy is there', () => {
  const first = plan({});
  assert.equal(first.phase, 'SnapshotInProgress');
  assert.equal(first.createSnapshot?.metadata?.name, 'tmp-snapshot-u');
  const waiting = plan({ snapshot: snapshot({}) });
  assert.deepEqual([waiting.phase, waiting.createSnapshot], ['SnapshotInProgress', undefined]);
  const ready = plan({ snapshot: taken, content });
  assert.deepEqual([ready.phase, ready.createRestore?.spec.target.name], ['RestoreInProgress', 'copy']);
  const restored = { snapshot: taken, content, restore: restore({ complete: true }) };
  assert.equal(plan(restored).phase, 'CreatingTargetVM');
  assert.deepEqual(plan({ ...restored, copy: vm }).fields, { targetName: 'copy' });
});

test('what fails on the way fails the clone; what is not there yet is waited for', () => {
  const failed = (type: string) => [{ type, status: 'True', reason: 'why' }];
  const table: readonly [Partial<CloneObservation>, string, RegExp][] = [
    [{ source: undefined }, '', /vm does not exist/],
    [{ clone: clone('VirtualMachineSnapshot', 's') }, '', /s does not exist/],
    [{ snapshot: snapshot({ phase: 'Failed' }) }, 'Failed', /snapshot tmp-snapshot-u failed/],
    [{ snapshot: taken }, 'Failed', /holds no VirtualMachine/],
    [
      { snapshot: taken, content, restore: restore({ conditions: failed('Failure') }) },
      'Failed',
      /restore tmp-restore-u failed: why/,
    ],
  ];
  for (const [more, phase, reason] of table) {
    const found = plan(more);
    assert.equal(found.phase, phase);
    assert.match(found.reason, reason);
  }
});

test('a warm copy goes on from memory, and is told from the others or says that it is not', () => {
  const warm = (spec: Partial<VirtualMachineClone['spec']>): VirtualMachineClone => {
    const made = clone('VirtualMachineSnapshot', 's');
    return { ...made, spec: { ...made.spec, warm: true, ...spec } };
  };
  const withMemory = (hasGuestAgent: boolean, masquerade = true) => {
    const interfaces = [masquerade ? { name: 'nic', masquerade: {} } : { name: 'nic', bridge: {} }];
    const template = { spec: { domain: { devices: { interfaces } } } };
    const virtualMachine = { metadata: { name: 'vm' }, spec: { ...vm.spec, template } };
    const memoryBackup = { claimName: 'm', vmiUID: 'v', hasGuestAgent };
    return { ...content, spec: { source: { virtualMachine }, memoryBackup } };
  };
  const asked = (spec: Partial<VirtualMachineClone['spec']>, of: CloneObservation['content']) =>
    plan({ clone: warm(spec), source: undefined, snapshot: taken, content: of });
  const { createRestore } = asked({}, withMemory(true));
  assert.deepEqual([createRestore?.spec.newIdentity, createRestore?.spec.discardMemory], [true, undefined]);
  const same = asked({ identityless: true }, withMemory(false, false)).createRestore;
  assert.deepEqual([same?.spec.newIdentity, same?.spec.discardMemory], [undefined, undefined]);
  const cold = asked({ warm: false }, withMemory(true)).createRestore;
  assert.deepEqual([cold?.spec.newIdentity, cold?.spec.discardMemory], [undefined, true]);
  const table: readonly [CloneObservation['content'], RegExp][] = [
    [content, /spec\.warm: .* holds no memory/],
    [withMemory(false), /spec\.warm: .* no agent .* spec\.identityless/],
    [withMemory(true, false), /spec\.warm: interface nic/],
  ];
  for (const [of, reason] of table) {
    const found = asked({}, of);
    assert.equal(found.phase, 'Failed');
    assert.match(found.reason, reason);
  }
});
