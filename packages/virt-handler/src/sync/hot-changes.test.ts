import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainState, VirtualMachineInstance, VMICondition } from '@podvisor/api';
import { withHotChanges } from './hot-changes.ts';

const GIB = 1024 ** 3;
const cpu: VMICondition = { type: 'HotVCPUChange', status: 'True' };
const memory: VMICondition = { type: 'HotMemoryChange', status: 'True' };
const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec: { domain: { devices: {}, cpu: { sockets: 2 }, memory: { guest: '2Gi' } } },
};
const domain = (sockets: number, requested: number): DomainState => ({
  name: 'default_vm',
  uuid: 'u',
  vmiUid: 'v',
  state: 'Running',
  reason: 'Unknown',
  diskTargets: {},
  interfaces: [],
  agentConnected: false,
  cpu: { sockets, cores: 1, threads: 1 },
  memoryBytes: { current: GIB, max: 4 * GIB, requested },
});
const after = (sockets: number, requested: number, failure?: string): readonly string[] =>
  withHotChanges([cpu, memory], vmi, domain(sockets, requested), failure, 'now').map(
    ({ type, status }) => `${type} ${status}`,
  );

test('a change ends when the guest has it, waits until then, and says so when it cannot', () => {
  assert.deepEqual(after(1, GIB), ['HotVCPUChange True', 'HotMemoryChange True']);
  assert.deepEqual(after(2, GIB), ['HotMemoryChange True']);
  assert.deepEqual(after(2, 2 * GIB), []);
  assert.deepEqual(after(2, GIB, 'no room'), ['HotMemoryChange False']);
});
