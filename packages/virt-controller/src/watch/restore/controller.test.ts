import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { VirtualMachineRestore } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { resources, type ReconcileResult, runPass } from '@podvisor/kube';
import { vmRestores, vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { vmiWith, vmWith } from '../../testing/objects.ts';
import { RestoreController } from './controller.ts';

const MINUTE = 60_000;
const { signal } = new AbortController();
const meta = (name: string) => ({ name, namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z' });
let api: FakeApi;
let clock: FakeClock;
let controller: RestoreController;
let target: string;

beforeEach(() => {
  api = new FakeApi();
  clock = new FakeClock(Date.parse('2026-01-01T00:00:00Z'));
  controller = new RestoreController({
    client: api,
    recorder: { event: () => undefined },
    clock,
    restore: () => now(),
  });
  const vm = vmWith({ runStrategy: 'Always' });
  target = api.put(resources.virtualMachines, vm).metadata?.name ?? '';
  api.put(vmSnapshots, {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: meta('s'),
    spec: { source: { kind: 'VirtualMachine', name: target } },
    status: { readyToUse: true, virtualMachineSnapshotContentName: 'c' },
  });
  api.put(vmSnapshotContents, {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshotContent',
    metadata: meta('c'),
    spec: { source: { virtualMachine: { metadata: vm.metadata, spec: vm.spec } } },
  });
});

const now = (): VirtualMachineRestore | undefined => api.read(vmRestores, 'r');
/** One look and, like the queue, another where one is asked for at once. */
async function pass(): Promise<ReconcileResult> {
  const result = await runPass(controller, 'default/r', signal);
  return result?.requeueAfterMs === 0 ? pass() : result;
}
const isTrue = (type: string): boolean =>
  now()?.status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;

function begin(targetReadinessPolicy?: VirtualMachineRestore['spec']['targetReadinessPolicy']): void {
  const vmi = vmiWith({ phase: 'Running' });
  api.put(resources.virtualMachineInstances, { ...vmi, metadata: { ...vmi.metadata, name: target } });
  api.put(vmRestores, {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineRestore',
    metadata: { ...meta('r'), uid: 'u' },
    spec: {
      target: { kind: 'VirtualMachine', name: target },
      virtualMachineSnapshotName: 's',
      ...(targetReadinessPolicy === undefined ? {} : { targetReadinessPolicy }),
    },
  });
}

test('a target that runs is waited for, five minutes long', async () => {
  begin();
  const waits = await pass();
  assert.equal(waits?.requeueAfterMs, 5 * MINUTE);
  assert.deepEqual([isTrue('Progressing'), isTrue('Failure')], [true, false]);
  clock.advance(5 * MINUTE);
  await pass();
  assert.deepEqual([isTrue('Progressing'), isTrue('Failure'), now()?.status?.complete], [false, true, false]);
  assert.equal(
    api.read(resources.virtualMachines, target)?.spec.runStrategy,
    'Always',
    'nothing was touched',
  );
  // What has failed stays failed, whatever becomes of the target.
  api.remove(resources.virtualMachineInstances, target);
  await pass();
  assert.equal(now()?.status?.complete, false);
});

test('or for ever, not at all, or it is stopped', async () => {
  begin('WaitEventually');
  assert.equal((await pass())?.requeueAfterMs, undefined);
  clock.advance(1000 * MINUTE);
  await pass();
  assert.equal(isTrue('Failure'), false);
  api.remove(vmRestores, 'r');
  begin('FailImmediate');
  await pass();
  assert.equal(isTrue('Failure'), true);
  api.remove(vmRestores, 'r');
  begin('StopTarget');
  await pass();
  assert.equal(api.read(resources.virtualMachines, target)?.spec.runStrategy, 'Halted');
  api.remove(resources.virtualMachineInstances, target);
  await pass();
  assert.deepEqual([now()?.status?.complete, isTrue('Ready')], [true, true]);
});

test('a target that is hibernated keeps its disks: its memory belongs to them', async () => {
  begin('StopTarget');
  api.remove(resources.virtualMachineInstances, target);
  const vm = vmWith({ runStrategy: 'Always' });
  const hibernation = { phase: 'Hibernated', claimName: 'h', vmiUID: 'v' };
  api.put(resources.virtualMachines, { ...vm, status: { hibernation } });
  await pass();
  assert.equal(isTrue('Failure'), true);
  const failure = now()?.status?.conditions?.find(({ type }) => type === 'Failure');
  assert.match(failure?.reason ?? failure?.message ?? '', /is hibernated/);
});
