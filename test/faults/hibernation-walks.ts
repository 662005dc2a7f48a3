/**
 * Components die at the borders of a hibernation and of a waking. Whatever happens, the VM ends where it was told to:
 * hibernated, then running. The guest, which counts its boots, goes on where it was if its state was whole and had not
 * been used, and boots once otherwise; its disk is never paired with an older memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import type { FailPoints, Program } from '../support/fail-points/fail-points.ts';
import { launcherDied } from '../support/fail-points/launcher-died.ts';
import type { Instance } from '../support/instance.ts';
import type { CountingVm } from './counting-vm.ts';

type Verb = 'hibernate' | 'wake';
type End = 'Woken' | 'Booted';
type Walk = readonly [Verb, Program, point: string, End];

/** Every border, and how the guest is after the start that follows. */
const ALL: readonly Walk[] = [
  ['hibernate', 'virt-controller', 'post-persistentvolumeclaims-before', 'Woken'],
  ['hibernate', 'virt-controller', 'post-persistentvolumeclaims-after', 'Woken'],
  ['hibernate', 'virt-controller', 'delete-virtualmachineinstances-after', 'Woken'],
  ['hibernate', 'virt-handler', 'launcher-sync-before', 'Woken'],
  ['hibernate', 'virt-handler', 'launcher-sync-after', 'Woken'],
  ['hibernate', 'virt-handler', 'put-virtualmachineinstances-after', 'Woken'],
  ['hibernate', 'virt-launcher', 'hibernation-pause-after', 'Booted'],
  ['hibernate', 'virt-launcher', 'hibernation-commit-before', 'Booted'],
  ['hibernate', 'virt-launcher', 'hibernation-commit-after', 'Woken'],
  ['hibernate', 'virt-launcher', 'hibernation-end-before', 'Woken'],
  ['wake', 'virt-controller', 'post-virtualmachineinstances-after', 'Woken'],
  ['wake', 'virt-handler', 'launcher-sync-before', 'Woken'],
  ['wake', 'virt-handler', 'launcher-sync-after', 'Woken'],
  ['wake', 'virt-launcher', 'wake-load-before', 'Woken'],
  ['wake', 'virt-launcher', 'wake-load-after', 'Woken'],
  ['wake', 'virt-launcher', 'wake-lease-before', 'Woken'],
  ['wake', 'virt-launcher', 'wake-lease-after', 'Woken'],
  ['wake', 'virt-launcher', 'wake-take-before', 'Woken'],
  ['wake', 'virt-launcher', 'wake-take-after', 'Booted'],
];

interface HibernationWorld {
  instance(): Instance;
  points(): FailPoints;
  vm(): CountingVm;
}

export function walkHibernation({ instance, points, vm }: HibernationWorld): void {
  const key = () => ({ namespace: 'default', name: vm().name });
  const theVm = () => instance().client.get(resources.virtualMachines, key());
  const theVmi = () => instance().client.find(resources.virtualMachineInstances, key());
  const ask = (verb: 'start' | 'hibernate'): Promise<true> =>
    eventually(`${verb} is taken`, 30_000, async () => {
      const { code, stderr } = await instance().virtctl(verb, vm().name);
      return code === 0 || /already|underway/.test(stderr) ? true : undefined;
    });
  const running = () =>
    eventually('a VMI runs', 120_000, async () => {
      const found = await theVmi();
      return found?.status?.phase === 'Running' && found.metadata?.deletionTimestamp === undefined
        ? found
        : undefined;
    });
  const hibernated = () =>
    eventually('the VM is hibernated', 120_000, async () =>
      (await theVm()).status?.printableStatus === 'Hibernated' && (await theVmi()) === undefined
        ? true
        : undefined,
    );
  const boots = (count: number) =>
    eventually(`the guest counts ${count} boots`, 60_000, () => (vm().boots() >= count ? true : undefined));

  /** A launcher cannot say that it died at a point. virt-controller would die there again and again, until this. */
  const died = async (program: Program, point: string): Promise<void> => {
    if (program === 'virt-launcher') return;
    await eventually(`${program} dies at ${point}`, 90_000, () =>
      points().wasTaken(program, point) ? true : undefined,
    );
  };

  for (const [verb, program, point, end] of ALL)
    test(`${verb}: ${program} dies at ${point}: ${end}`, { timeout: 300_000 }, async () => {
      if ((await theVmi()) === undefined) {
        const before = vm().boots();
        await ask('start');
        await running();
        await boots(before + 1);
      }
      const before = vm().boots();
      if (verb === 'hibernate') points().set(program, point, 'kill');
      await ask('hibernate');
      if (verb === 'hibernate') await died(program, point);
      await hibernated();
      points().clear(program, point);
      if (verb === 'wake') points().set(program, point, 'kill');
      await Promise.all([
        ask('start'),
        verb === 'wake' && program === 'virt-launcher' ? launcherDied(theVmi) : undefined,
      ]);
      if (verb === 'wake') await died(program, point);
      points().clear(program, point);
      const woken = await eventually('it is known how the guest began', 120_000, async () => {
        const found = await running();
        return found.status?.hibernation === undefined ? undefined : found;
      });
      assert.equal(woken.status?.hibernation?.phase, end);
      if (end === 'Booted') await boots(before + 1);
      assert.equal(vm().boots(), end === 'Booted' ? before + 1 : before);
      await eventually('the VM has forgotten that it slept', 30_000, async () =>
        (await theVm()).status?.hibernation === undefined ? true : undefined,
      );
    });
}
