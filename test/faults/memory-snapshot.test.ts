/**
 * Components die at the borders of a snapshot with memory and of the restore that goes on from it. Whatever happens, the
 * snapshot ends, whole or not at all; the guest goes on where it was and is held by nobody; and a restored VM goes on
 * from that instant without a boot. Launchers alone are cut in `power-cut.machine.test.ts`.
 * `PODVISOR_FAIL_POINTS=all` walks every border.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { FailPoints, type Program } from '../support/fail-points/fail-points.ts';
import { Instance } from '../support/instance.ts';
import { SNAPSHOT_API, vmRestores, vmSnapshots } from '../support/storage-resources.ts';
import { CountingVm } from './counting-vm.ts';

type Walk = readonly [verb: 'take' | 'restore', Program, point: string];

const FEW: readonly Walk[] = [
  ['take', 'virt-controller', 'post-volumesnapshots-after'],
  ['take', 'virt-handler', 'launcher-sync-after'],
  ['restore', 'virt-controller', 'post-persistentvolumeclaims-after'],
];
const ALL: readonly Walk[] = [
  ...FEW,
  ['take', 'virt-controller', 'post-persistentvolumeclaims-after'],
  ['take', 'virt-controller', 'patch-virtualmachineinstances-before'],
  ['take', 'virt-controller', 'patch-virtualmachineinstances-after'],
  ['take', 'virt-handler', 'put-virtualmachineinstances-after'],
  ['restore', 'virt-controller', 'patch-virtualmachines-before'],
  ['restore', 'virt-controller', 'patch-virtualmachines-after'],
  ['restore', 'virt-controller', 'post-virtualmachineinstances-after'],
];
const walks = process.env['PODVISOR_FAIL_POINTS'] === 'all' ? ALL : FEW;

describe('snapshots with memory, cut', { concurrency: 1 }, () => {
  let instance: Instance;
  let points: FailPoints;
  let vm: CountingVm;
  const key = { namespace: 'default', name: 'counting' };
  const running = () =>
    eventually('a VMI runs', 120_000, async () => {
      const found = await instance.client.find(resources.virtualMachineInstances, key);
      return found?.status?.phase === 'Running' && found.metadata?.deletionTimestamp === undefined
        ? found
        : undefined;
    });

  before(async () => {
    instance = await Instance.prepare();
    points = new FailPoints(instance);
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    vm = await CountingVm.create(instance, key.name);
    const { stderr: problem, code: started } = await instance.virtctl('start', key.name);
    assert.equal(started, 0, problem);
    await running();
    await eventually('the first boot', 60_000, () => (vm.boots() === 1 ? true : undefined));
  });
  after(() => instance?.purge());

  const reference = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: key.name };
  const snapshot = async (name: string): Promise<string | undefined> => {
    await instance.client.create(vmSnapshots, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineSnapshot',
      metadata: { namespace: key.namespace, name },
      spec: { source: reference, includeMemory: true },
    });
    return eventually('the end of the snapshot', 120_000, async () => {
      const { status } = await instance.client.get(vmSnapshots, { namespace: key.namespace, name });
      return status?.phase === 'Succeeded' || status?.phase === 'Failed' ? status.phase : undefined;
    });
  };

  for (const [index, [verb, program, point]] of walks.entries())
    test(`${verb}: ${program} dies at ${point}`, { timeout: 300_000 }, async () => {
      const before = await running();
      if (verb === 'take') points.set(program, point, 'kill');
      const name = `s-${index}`;
      assert.equal(await snapshot(name), 'Succeeded');
      points.clear(program, point);
      const free = await eventually('a guest that nobody holds', 60_000, async () => {
        const found = await running();
        const { items } = await instance.client.list(resources.virtualMachines, key);
        const isLocked = items.some(({ status }) => status?.snapshotInProgress !== undefined);
        return found.spec.utilityVolumes === undefined && !isLocked ? found : undefined;
      });
      assert.equal(free.metadata?.uid, before.metadata?.uid);
      assert.equal(vm.boots(), 1, 'the guest goes on');
      if (verb === 'restore') points.set(program, point, 'kill');
      const restore = { namespace: key.namespace, name: `r-${index}` };
      await instance.client.create(vmRestores, {
        apiVersion: SNAPSHOT_API,
        kind: 'VirtualMachineRestore',
        metadata: restore,
        spec: {
          target: { ...reference, name: `copy-${index}` },
          virtualMachineSnapshotName: name,
        },
      });
      await eventually('the restore', 120_000, async () =>
        (await instance.client.get(vmRestores, restore)).status?.complete === true ? true : undefined,
      );
      points.clear(program, point);
      const copy = { namespace: key.namespace, name: `copy-${index}` };
      const woken = await eventually('a copy that runs', 120_000, async () => {
        const found = await instance.client.find(resources.virtualMachineInstances, copy);
        return found?.status?.phase === 'Running' ? found : undefined;
      });
      assert.equal(woken.status?.hibernation?.phase, 'Woken', 'it goes on, and does not boot');
      await instance.client.delete(resources.virtualMachines, copy);
    });
});
