/**
 * Components die at the borders of a snapshot with memory, of the restore that goes on from it, and of a warm copy of
 * it. Whatever happens, the snapshot ends, whole or not at all; the guest goes on where it was and is held by nobody;
 * and a restored VM or a copy goes on from that instant without a boot, unless its launcher died after the memory was
 * used up. Launchers that save are cut in `power-cut.machine.test.ts`. `PODVISOR_FAIL_POINTS=all` walks every border.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { FailPoints, type Program } from '../support/fail-points/fail-points.ts';
import { cloneSnapshot } from '../support/clone-snapshot.ts';
import { launcherDied } from '../support/fail-points/launcher-died.ts';
import { Instance } from '../support/instance.ts';
import { SNAPSHOT_API, vmRestores, vmSnapshots } from '../support/storage-resources.ts';
import { CountingVm } from './counting-vm.ts';

type Walk = readonly [verb: 'take' | 'restore' | 'copy', Program, point: string, begins?: 'Booted'];

const FEW: readonly Walk[] = [
  ['take', 'virt-controller', 'post-volumesnapshots-after'],
  ['take', 'virt-handler', 'launcher-sync-after'],
  ['restore', 'virt-controller', 'post-persistentvolumeclaims-after'],
  ['copy', 'virt-controller', 'post-virtualmachinerestores-after'],
  // Leases of disks are taken, the state is not.
  ['copy', 'virt-launcher', 'wake-take-before'],
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
  ['copy', 'virt-controller', 'post-virtualmachinerestores-before'],
  ['copy', 'virt-controller', 'post-persistentvolumeclaims-after'],
  ['copy', 'virt-controller', 'post-virtualmachineinstances-after'],
  ['copy', 'virt-handler', 'launcher-sync-before'],
  ['copy', 'virt-handler', 'launcher-sync-after'],
  ['copy', 'virt-launcher', 'wake-load-before'],
  ['copy', 'virt-launcher', 'wake-take-after', 'Booted'],
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
    points.reachLaunchers();
    vm = await CountingVm.create(instance, key.name);
    const { stderr: problem, code: started } = await instance.virtctl('start', key.name);
    assert.equal(started, 0, problem);
    await running();
    await eventually('the first boot', 60_000, () => (vm.boots() === 1 ? true : undefined));
  });
  after(() => instance?.purge());
  afterEach(() => walks.forEach(([, program, point]) => points.clear(program, point)));

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

  const restore = async (snapshotName: string, name: string): Promise<void> => {
    const restoreKey = { namespace: key.namespace, name };
    await instance.client.create(vmRestores, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineRestore',
      metadata: restoreKey,
      spec: { target: { ...reference, name }, virtualMachineSnapshotName: snapshotName },
    });
    await eventually('the restore', 120_000, async () =>
      (await instance.client.get(vmRestores, restoreKey)).status?.complete === true ? true : undefined,
    );
  };
  /** Whoever dies would die there again and again, until this. */
  const died = async (program: Program, point: string, name = key.name): Promise<void> => {
    if (program === 'virt-launcher') await launcherDied(() => find(name));
    else
      await eventually(`${program} dies at ${point}`, 120_000, () =>
        points.wasTaken(program, point) ? true : undefined,
      );
    points.clear(program, point);
  };
  const find = (name: string) =>
    instance.client.find(resources.virtualMachineInstances, { namespace: key.namespace, name });

  for (const [index, [verb, program, point, begins = 'Woken']] of walks.entries())
    test(`${verb}: ${program} dies at ${point}: ${begins}`, { timeout: 300_000 }, async () => {
      const before = await running();
      if (verb === 'take') points.set(program, point, 'kill');
      const name = `s-${index}`;
      const [end] = await Promise.all([snapshot(name), verb === 'take' ? died(program, point) : undefined]);
      assert.equal(end, 'Succeeded');
      const free = await eventually('a guest that nobody holds', 60_000, async () => {
        const found = await running();
        const { items } = await instance.client.list(resources.virtualMachines, key);
        const isLocked = items.some(({ status }) => status?.snapshotInProgress !== undefined);
        return found.spec.utilityVolumes === undefined && !isLocked ? found : undefined;
      });
      assert.equal(free.metadata?.uid, before.metadata?.uid);
      assert.equal(vm.boots(), 1, 'the guest goes on');
      if (verb !== 'take') points.set(program, point, 'kill');
      const copy = { namespace: key.namespace, name: `copy-${index}` };
      // The guest has no agent that could make a copy distinct.
      const how = { warm: true, identityless: true } as const;
      await Promise.all([
        verb === 'copy'
          ? cloneSnapshot(instance.client, { namespace: key.namespace, name }, copy.name, how)
          : restore(name, copy.name),
        verb === 'take' ? undefined : died(program, point, copy.name),
      ]);
      const woken = await eventually('a copy that runs', 120_000, async () => {
        const found = await find(copy.name);
        return found?.status?.phase === 'Running' && found.status.hibernation !== undefined
          ? found
          : undefined;
      });
      assert.equal(woken.status?.hibernation?.phase, begins);
      await instance.client.delete(resources.virtualMachines, copy);
    });
});
