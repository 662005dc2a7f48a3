/**
 * The storage of a node does not answer in the middle of a hibernation, and comes back: it is finished then. Meanwhile
 * another guest comes and goes on that node. PODVISOR_STORAGE_CUT_SECONDS makes the cut longer (70: beyond the patience
 * of virt-handler with a launcher).
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { VirtualMachineInstance } from '@podvisor/api';
import { resources } from '@podvisor/kube';
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
  /** Cuts the storage while a launcher of `name` stands at `point`, and is back later. */
  const cutAt = async (name: string, point: string, begin: () => Promise<void>): Promise<void> => {
    points.set('virt-launcher', point, `stall ${STALL_MS}`);
    try {
      await begin();
      await eventually('QEMU is there', 120_000, async () => {
        const pods = Object.keys((await find(name))?.status?.activePods ?? {});
        return pods.some((pod) => podProcesses(pod).some(({ command }) => command.includes('qemu-system')))
          ? true
          : undefined;
      });
      await node('cut', NODE, '--storage');
    } finally {
      points.clear('virt-launcher', point);
    }
    try {
      const cut = delay(STALL_MS + CUT_MS);
      await otherGuest();
      await cut;
    } finally {
      await node('heal', NODE);
    }
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
});
