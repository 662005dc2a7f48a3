import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../config/cluster-config.ts';
import type { VirtualMachineInstance } from '../types/index.ts';
import { validateVmiCreate } from './validate-vmi.ts';
import { validateVmiUpdate } from './validate-vmi-update.ts';

const config = clusterConfig(undefined);

function vmiOn(nodeName: string, targetNode?: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'guest' },
    spec: { domain: { devices: {} } },
    status: { nodeName, ...(targetNode && { migrationState: { targetNode } }) },
  };
}

function messagesOf(vmi: VirtualMachineInstance, old: VirtualMachineInstance, handlerNode: string): string[] {
  const context = { config, isKubeVirtServiceAccount: true, handlerNode };
  return validateVmiUpdate(vmi, old, context).causes.map(({ message }) => message);
}

test('a handler changes the guests of its node and those that arrive', () => {
  assert.deepEqual(messagesOf(vmiOn('one'), vmiOn('one'), 'one'), []);
  assert.deepEqual(messagesOf(vmiOn('one', 'two'), vmiOn('one', 'two'), 'two'), []);
  assert.deepEqual(messagesOf(vmiOn('two'), vmiOn('one', 'two'), 'two'), [], 'the end of a migration');
});

test('a handler changes no other guests, and sends none away', () => {
  assert.deepEqual(messagesOf(vmiOn('one'), vmiOn('one'), 'two'), [
    'Node restriction, virt-handler is only allowed to modify VMIs it owns',
  ]);
  assert.deepEqual(messagesOf(vmiOn('one', 'two'), vmiOn('one'), 'one'), [
    'Node restriction, virt-handler is not allowed to set target node',
  ]);
});

test('a handler without a node in its token changes nothing', () => {
  assert.deepEqual(messagesOf(vmiOn('one'), vmiOn('one'), ''), [
    'Node restriction failed, virt-handler service account is missing node name',
  ]);
});

test('what a VMI goes on from is written by our own components alone', () => {
  const remembering = (text: string): VirtualMachineInstance => ({
    ...vmiOn('one'),
    metadata: { name: 'guest', annotations: { 'podvisor.io/hibernated-state': text } },
  });
  const refused = (vmi: VirtualMachineInstance, old: VirtualMachineInstance, own: boolean): number =>
    validateVmiUpdate(vmi, old, { config, isKubeVirtServiceAccount: own }).causes.length;
  assert.equal(refused(remembering('claim id'), vmiOn('one'), false), 1);
  assert.equal(refused(vmiOn('one'), remembering('claim id'), false), 1);
  assert.equal(refused(remembering('a'), remembering('a'), false), 0);
  assert.equal(refused(remembering('claim id'), vmiOn('one'), true), 0);
  const isRefused = (own: boolean): boolean =>
    validateVmiCreate(remembering('claim id'), { config, isKubeVirtServiceAccount: own }).causes.some(
      ({ field }) => field === 'metadata.annotations',
    );
  assert.deepEqual([isRefused(false), isRefused(true)], [true, false]);
});
