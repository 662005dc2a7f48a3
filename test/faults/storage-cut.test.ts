/**
 * The storage of a node does not answer in the middle of a hibernation or of a waking, and comes back: it is finished
 * then, and the guest goes on where it was. Meanwhile another guest comes and goes on that node. For a claim that does not
 * come back a guest does not stand still for ever. PODVISOR_STORAGE_CUT_SECONDS makes the cut longer (70: beyond the
 * patience of virt-handler with a launcher).
 */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { hibernationVolume, type VirtualMachineInstance } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { readInstanceConfig, stallDevice } from '@podvisor/sys';
import { eventually } from '../support/eventually.ts';
import { FailPoints } from '../support/fail-points/fail-points.ts';
import { Instance } from '../support/instance.ts';
import { podProcesses } from '../support/pod-processes.ts';
import { CountingVm } from './counting-vm.ts';

const CUT_MS = Number(process.env['PODVISOR_STORAGE_CUT_SECONDS'] ?? 12) * 1000;
/** Time to cut the storage while a launcher stands at the place where it is about to use it. */
const STALL_MS = 10_000;
const NODE = 'node-1';

describe('storage that does not answer for a while', { concurrency: 1 }, () => {
  let instance: Instance;
  let points: FailPoints;
  let vm: CountingVm;
  const at = (name: string) => ({ namespace: 'default', name });
  const find = (name: string): Promise<VirtualMachineInstance | undefined> =>
    instance.client.find(resources.virtualMachineInstances, at(name));
  const ask = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await instance.virtctl(...words);
    assert.equal(code, 0, stderr);
  };
  const running = (name: string): Promise<VirtualMachineInstance> =>
    eventually(`${name} runs`, 180_000, async () => {
      const found = await find(name);
      return found?.status?.phase === 'Running' && found.metadata?.deletionTimestamp === undefined
        ? found
        : undefined;
    });
  const node = async (...words: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await instance.podvisor(['node', ...words]);
    assert.equal(code, 0, stdout + stderr);
  };

  before(async () => {
    instance = await Instance.prepare();
    points = new FailPoints(instance);
    const { code, stdout, stderr } = await instance.up('--nodes', '2');
    assert.equal(code, 0, stdout + stderr);
    points.reachLaunchers();
    // All that the test cuts off is on one node.
    await instance.client.patch(
      resources.nodes,
      { name: 'node-2' },
      {
        type: 'merge',
        body: { spec: { unschedulable: true } },
      },
    );
    vm = await CountingVm.create(instance, 'counting');
    await ask('start', vm.name);
    await running(vm.name);
    await eventually('the first boot', 60_000, () => (vm.boots() === 1 ? true : undefined));
  });
  after(() => instance?.purge());

  /** One without a disk comes and goes, on the node whose storage does not answer. */
  const otherGuest = async (): Promise<void> => {
    await instance.client.create(resources.virtualMachineInstances, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: at('other'),
      spec: {
        domain: { memory: { guest: '32Mi' }, devices: { autoattachPodInterface: false } },
        terminationGracePeriodSeconds: 0,
      },
    });
    await running('other');
    await instance.client.delete(resources.virtualMachineInstances, at('other'));
    await eventually('the other guest is gone', 60_000, async () =>
      (await find('other')) === undefined ? true : undefined,
    );
  };
  const meanwhile = async (): Promise<void> => {
    const cut = delay(STALL_MS + CUT_MS);
    await otherGuest();
    await cut;
  };
  /** Cuts the storage while a launcher of `name` stands at `point`, until `during` is over. */
  const cutAt = async (
    name: string,
    point: string,
    begin: () => Promise<void>,
    during = meanwhile,
  ): Promise<void> => {
    points.set('virt-launcher', point, `stall ${STALL_MS}`);
    try {
      await begin();
      await eventually('a launcher is at its work', 120_000, async () => {
        const { activePods = {}, hibernation } = (await find(name))?.status ?? {};
        const hasQemu = Object.keys(activePods).some((pod) =>
          podProcesses(pod).some(({ command }) => command.includes('qemu-system')),
        );
        // A guest that is saved has its QEMU all the time: what counts is that the claim is plugged in.
        return hasQemu && (point.startsWith('wake') || hibernation?.phase === 'Saving') ? true : undefined;
      });
      await node('cut', NODE, '--storage');
    } finally {
      points.clear('virt-launcher', point);
    }
    try {
      await during();
    } finally {
      await node('heal', NODE);
    }
  };
  /** The launchers of the VM do not reach this claim, and reach all others; answers how to undo it. */
  const stallClaim = async (name: string): Promise<() => void> => {
    const { spec } = await instance.client.get(resources.persistentVolumeClaims, at(name));
    const { dev } = statSync(join(instance.home, 'volumes', spec.volumeName ?? ''));
    const device = `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
    const { name: home } = readInstanceConfig(instance.home);
    const groups = Object.keys((await find(vm.name))?.status?.activePods ?? {}).map(
      (pod) => `/podvisor/${home}/${pod}`,
    );
    const reached = groups.map((group) => stallDevice(group, device, true));
    assert.ok(reached.every((count) => count > 0));
    return () => groups.forEach((group) => void stallDevice(group, device, false));
  };
  const hibernated = (): Promise<true> =>
    eventually('the VM is hibernated', 180_000, async () => {
      const { status } = await instance.client.get(resources.virtualMachines, at(vm.name));
      return status?.printableStatus === 'Hibernated' && (await find(vm.name)) === undefined
        ? true
        : undefined;
    });

  test('while a guest is hibernated: its state is whole afterwards', { timeout: 400_000 }, async () => {
    await cutAt(vm.name, 'hibernation-commit-before', () => ask('hibernate', vm.name));
    await hibernated();
  });

  // Whatever the launcher has done of a wake, the storage goes then. The guest that loses its time before its first
  // instruction is ended, and its memory must be there for the next try.
  for (const point of ['wake-lease-before', 'wake-take-before', 'wake-take-after'])
    test(`while a guest wakes, at ${point}: it goes on where it was`, { timeout: 400_000 }, async () => {
      if ((await find(vm.name)) !== undefined) {
        await ask('hibernate', vm.name);
        await hibernated();
      }
      const boots = vm.boots();
      await cutAt(vm.name, point, () => ask('start', vm.name));
      const woken = await eventually('it is known how the guest began', 180_000, async () => {
        const { status } = await running(vm.name);
        return status?.hibernation?.phase;
      });
      assert.equal(woken, 'Woken');
      assert.equal(vm.boots(), boots, 'it did not boot');
      const { conditions } = (await find(vm.name))?.status ?? {};
      const lease = conditions?.find(({ type }) => type === 'FencedByLease');
      assert.notEqual(lease?.reason, 'LeaseNotKept', 'it has a lease, by which it can be fenced');
    });

  test('for longer than a guest stands still for it: the guest goes on, and says why', {
    timeout: 400_000,
  }, async () => {
    const before = await find(vm.name);
    const boots = vm.boots();
    const goesOn = async (): Promise<void> => {
      await eventually('the VM says that it was not hibernated', 180_000, async () => {
        const { status } = await instance.client.get(resources.virtualMachines, at(vm.name));
        const failed = status?.conditions?.find(({ type }) => type === 'HibernationFailed');
        return /took nothing for 60 s/.test(failed?.message ?? '') ? true : undefined;
      });
      await eventually('the guest does not stand still', 60_000, async () => {
        const { conditions } = (await find(vm.name))?.status ?? {};
        return conditions?.some(({ type, status }) => type === 'Paused' && status === 'True') === true
          ? undefined
          : true;
      });
    };
    points.set('virt-launcher', 'hibernation-pause-after', `stall ${STALL_MS}`);
    await ask('hibernate', vm.name);
    const claim = await eventually('the guest is being saved', 120_000, async () => {
      const found = await find(vm.name);
      return found?.status?.hibernation?.phase === 'Saving' ? hibernationVolume(found.spec) : undefined;
    });
    // Its own disks answer: only the claim of its memory does not.
    const heal = await stallClaim(claim.claimName);
    points.clear('virt-launcher', 'hibernation-pause-after');
    await goesOn().finally(heal);
    const now = await find(vm.name);
    assert.equal(now?.metadata?.uid, before?.metadata?.uid, 'it is the same run');
    assert.equal(now?.status?.phase, 'Running');
    assert.equal(vm.boots(), boots);
    // The claim of the failed one has to go first.
    await eventually('it can be hibernated again', 120_000, async () => {
      const { status } = await instance.client.get(resources.virtualMachines, at(vm.name));
      const isPlugged = (await find(vm.name))?.spec.utilityVolumes !== undefined;
      return status?.hibernation?.phase === 'Failed' && !isPlugged ? true : undefined;
    });
  });
});
