import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clusterConfig,
  memorySnapshotTypes,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMStatus,
} from '@podvisor/api';
import { ANYBODY } from '../testing/anybody.ts';
import type { Decision, StoredState } from './decision.ts';
import { hibernateVm } from './hibernate.ts';
import { startVm } from './vm-lifecycle.ts';

const vm = (status: VMStatus, runStrategy = 'Always'): VirtualMachine => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'x', namespace: 'default', uid: 'vm' },
  spec: { runStrategy, template: { spec: { domain: { devices: {} } } } },
  status: { created: true, ...status },
});
const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: {
    name: 'x',
    namespace: 'default',
    uid: 'vmi',
    ownerReferences: [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'x', uid: 'vm' }],
  },
  spec: { domain: { devices: {} } },
  status: { phase: 'Running' },
};
const asleep = { hibernation: { phase: 'Hibernated', claimName: 'c', vmiUID: 'v' } };
const state = (of: VirtualMachine, running?: VirtualMachineInstance): StoredState => ({
  vm: { kind: 'found', object: of },
  vmi: running === undefined ? { kind: 'absent' } : { kind: 'found', object: running },
  config: clusterConfig(undefined),
});
const request = (body?: unknown) => ({
  namespace: 'default',
  name: 'x',
  body,
  query: new URLSearchParams(),
  parameters: {},
  user: ANYBODY,
});
const requested = (decision: Decision): unknown =>
  decision.kind === 'patch' ? decision.patches[0]?.patch.find(({ op }) => op !== 'test') : undefined;

test('hibernate leaves a request that names the VMI', () => {
  assert.deepEqual(requested(hibernateVm(request(), state(vm({}), vmi))), {
    op: 'add',
    path: '/status/stateChangeRequests',
    value: [{ action: 'Hibernate', uid: 'vmi' }],
  });
});

test('what cannot be hibernated is refused', () => {
  const moving = { ...vmi, status: { phase: 'Running', migrationState: { migrationUid: 'm' } } };
  const fixed = { ...vmi, spec: { domain: { devices: { disableHotplug: true } } } };
  const utilityVolumes = [{ name: 'm', claimName: 'c', type: memorySnapshotTypes.save }];
  const snapshotting = { ...vmi, spec: { ...vmi.spec, utilityVolumes } };
  const table: readonly [VirtualMachine, VirtualMachineInstance | undefined, RegExp][] = [
    [vm(asleep), undefined, /hibernated already/],
    [vm({ hibernation: { ...asleep.hibernation, phase: 'Saving' } }), vmi, /being hibernated/],
    [vm({}), { ...vmi, status: { phase: 'Scheduled' } }, /not running/],
    [vm({}), moving, /being migrated/],
    [vm({}), fixed, /disableHotplug/],
    [vm({}), snapshotting, /snapshot of its memory/],
    [vm({}), undefined, /not found/],
  ];
  for (const [of, running, why] of table)
    assert.throws(() => hibernateVm(request(), state(of, running)), why);
});

test('a hibernated VM is started by name under every strategy, and only its state can be discarded', () => {
  for (const strategy of ['Always', 'Once', 'Manual', 'RerunOnFailure'])
    assert.deepEqual(requested(startVm(request(), state(vm({ ...asleep }, strategy)))), {
      op: 'add',
      path: '/status/stateChangeRequests',
      value: [{ action: 'Start' }],
    });
  const discard = { discardState: true };
  assert.deepEqual(requested(startVm(request(discard), state(vm({ ...asleep }, 'Halted')))), {
    op: 'add',
    path: '/status/stateChangeRequests',
    value: [{ action: 'Start', data: { discardState: 'true' } }],
  });
  assert.throws(() => startVm(request(discard), state(vm({}, 'Halted'))), /not hibernated/);
});
