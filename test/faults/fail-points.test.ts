/**
 * Components die at the borders of a start, a restart and a stop: just before and just after they write or call.
 * Whatever happens, the VM ends where it was told to, and its guest, which counts, booted exactly as often as it
 * should. PODVISOR_FAIL_POINTS=all walks every point, again and again (PODVISOR_FAIL_POINT_ROUNDS).
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { VirtualMachineInstance } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { FailPoints, type Program } from '../support/fail-points/fail-points.ts';
import { Instance } from '../support/instance.ts';
import { podProcess } from '../support/pod-processes.ts';
import { podTracesOf } from '../support/traces.ts';
import { CountingVm } from './counting-vm.ts';
import { walkHibernation } from './hibernation-walks.ts';

type Verb = 'start' | 'restart' | 'stop';
type Walk = readonly [Verb, Program, point: string];

/** Every border that each verb crosses. */
const ALL: readonly Walk[] = (
  [
    ['start', 'virt-controller', 'post-virtualmachineinstances'],
    ['start', 'virt-controller', 'post-pods'],
    ['start', 'virt-controller', 'put-virtualmachineinstances'],
    ['start', 'virt-handler', 'network'],
    ['start', 'virt-handler', 'launcher-sync'],
    ['start', 'virt-handler', 'put-virtualmachineinstances'],
    ['start', 'virt-launcher', 'libvirt-define'],
    ['start', 'virt-launcher', 'libvirt-create'],
    ['start', 'virt-launcher', 'libvirt-resume'],
    ['restart', 'virt-controller', 'delete-virtualmachineinstances'],
    ['restart', 'virt-controller', 'post-virtualmachineinstances'],
    ['restart', 'virt-handler', 'launcher-shutdown'],
    ['restart', 'virt-handler', 'put-virtualmachineinstances'],
    ['restart', 'virt-launcher', 'libvirt-shutdown'],
    ['stop', 'virt-controller', 'delete-virtualmachineinstances'],
    ['stop', 'virt-handler', 'launcher-shutdown'],
    ['stop', 'virt-handler', 'launcher-delete'],
    ['stop', 'virt-handler', 'put-virtualmachineinstances'],
    ['stop', 'virt-launcher', 'libvirt-shutdown'],
    ['stop', 'virt-launcher', 'libvirt-undefine'],
  ] as const
).flatMap(([verb, program, what]) =>
  (['before', 'after'] as const).map((side): Walk => [verb, program, `${what}-${side}`]),
);

/** The borders where a second of it, or none, would come from most easily. */
const FEW: readonly Walk[] = [
  ['start', 'virt-controller', 'post-pods-after'],
  ['restart', 'virt-controller', 'delete-virtualmachineinstances-after'],
  ['stop', 'virt-handler', 'launcher-shutdown-after'],
  ['start', 'virt-handler', 'launcher-sync-after'],
  ['restart', 'virt-handler', 'put-virtualmachineinstances-after'],
  ['stop', 'virt-launcher', 'libvirt-shutdown-after'],
  ['start', 'virt-launcher', 'libvirt-create-after'],
];

const isLong = process.env['PODVISOR_FAIL_POINTS'] === 'all';
const rounds = Number(process.env['PODVISOR_FAIL_POINT_ROUNDS'] ?? 1);
const walks = isLong ? Array.from({ length: rounds }, () => ALL).flat() : FEW;

describe('fail points', { concurrency: 1 }, () => {
  let instance: Instance;
  let points: FailPoints;
  let vm: CountingVm;
  const key = { namespace: 'default', name: 'counting' };
  const vmi = (): Promise<VirtualMachineInstance | undefined> =>
    instance.client.find(resources.virtualMachineInstances, key);

  before(async () => {
    instance = await Instance.prepare();
    points = new FailPoints(instance);
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    points.reachLaunchers();
    vm = await CountingVm.create(instance, key.name);
  });
  after(() => instance?.purge());

  /** Asks until it is taken: whoever was killed may be the one who answers. */
  const ask = (verb: Verb): Promise<true> =>
    eventually(`${verb} is taken`, 30_000, async () => {
      const { code, stderr } = await instance.virtctl(verb, key.name);
      return code === 0 || /already running|not running|already underway/.test(stderr) ? true : undefined;
    });
  const running = (notUid?: string): Promise<VirtualMachineInstance> =>
    eventually('a VMI runs', 120_000, async () => {
      const found = await vmi();
      return found?.status?.phase === 'Running' && found.metadata?.uid !== notUid ? found : undefined;
    });
  const booted = (count: number): Promise<true> =>
    eventually(`the guest counts ${count} boots`, 60_000, () => (vm.boots() >= count ? true : undefined));
  const stopped = async (): Promise<void> => {
    await eventually('the VMI is gone', 90_000, async () => ((await vmi()) === undefined ? true : undefined));
    await eventually('nothing of it is left on the node', 60_000, () =>
      podTracesOf(instance.home, instance.name).processes.length === 0 ? true : undefined,
    );
  };

  for (const [verb, program, point] of walks) {
    test(`${verb}: ${program} dies at ${point}`, { timeout: 300_000 }, async () => {
      // Where the verb begins.
      if (verb === 'start') {
        if ((await vmi()) !== undefined) await ask('stop').then(stopped);
      } else if ((await vmi()) === undefined) {
        const boots = vm.boots();
        await ask('start');
        await running();
        await booted(boots + 1);
      }
      const uid = (await vmi())?.metadata?.uid;
      const boots = vm.boots();
      points.set(program, point, 'kill');
      await ask(verb);

      if (program === 'virt-launcher') {
        // Its end is its guest's. A start or a restart is then begun anew, as often as it takes.
        if (verb === 'stop') {
          await stopped();
          points.clear(program, point);
          assert.equal(vm.boots(), boots);
          return;
        }
        await eventually('the launcher died', 90_000, async () => {
          const found = await vmi();
          const isOld = found?.metadata?.uid === uid && verb === 'restart';
          return !isOld &&
            (found === undefined || found.status?.phase === 'Failed' || found.status?.phase === 'Running')
            ? true
            : undefined;
        });
        points.clear(program, point);
        await running(uid);
        await booted(boots + 1);
        return;
      }

      await eventually(`${program} passes ${point}`, 60_000, () =>
        points.wasTaken(program, point) ? true : undefined,
      );
      if (verb === 'stop') {
        await stopped();
        assert.equal(vm.boots(), boots, 'a guest that was stopped does not boot');
        return;
      }
      const now = await running(verb === 'restart' ? uid : undefined);
      await booted(boots + 1);
      // Whoever came back has looked at everything once more by the time that it answers.
      await eventually('pause goes all the way down', 60_000, async () =>
        (await instance.virtctl('pause', 'vmi', key.name)).code === 0 ? true : undefined,
      );
      await eventually('unpause goes all the way down', 60_000, async () =>
        (await instance.virtctl('unpause', 'vmi', key.name)).code === 0 ? true : undefined,
      );
      assert.equal((await vmi())?.metadata?.uid, now.metadata?.uid);
      assert.equal(vm.boots(), boots + 1, 'the guest booted once');
    });
  }

  // In the suite launchers alone are cut (`power-cut.machine.test.ts`).
  if (isLong) walkHibernation({ instance: () => instance, points: () => points, vm: () => vm });

  /** Kills virt-handler and waits until another one is there; its cache is empty then. */
  const restartHandler = async (): Promise<void> => {
    const pid = await instance.pidOf('virt-handler-node-1');
    process.kill(pid, 'SIGKILL');
    await eventually('virt-handler is back', 30_000, async () =>
      (await instance.pidOf('virt-handler-node-1')) === pid ? undefined : true,
    );
  };
  /** A running guest, and what must still be so when the fault is over. */
  const undisturbed = async (fault: () => Promise<void>): Promise<void> => {
    const start = vm.boots();
    if ((await vmi()) === undefined) {
      await ask('start');
      await running();
      await booted(start + 1);
    }
    const before = await running();
    const boots = vm.boots();
    const qemu = podProcess(launcherPod(before), /qemu-system/).pid;
    await fault();
    await eventually('pause goes all the way down', 60_000, async () =>
      (await instance.virtctl('pause', 'vmi', key.name)).code === 0 ? true : undefined,
    );
    await eventually('unpause goes all the way down', 60_000, async () =>
      (await instance.virtctl('unpause', 'vmi', key.name)).code === 0 ? true : undefined,
    );
    const now = await vmi();
    assert.deepEqual([now?.metadata?.uid, now?.status?.phase], [before.metadata?.uid, 'Running']);
    assert.equal(podProcess(launcherPod(before), /qemu-system/).pid, qemu);
    assert.equal(vm.boots(), boots);
  };

  test('the API server stands still while virt-handler starts: nobody stops the guest', async () => {
    await undisturbed(async () => {
      const cluster = await instance.pidOf('control-plane');
      process.kill(cluster, 'SIGSTOP');
      try {
        await restartHandler();
        await delay(isLong ? 180_000 : 5_000);
      } finally {
        process.kill(cluster, 'SIGCONT');
      }
    });
  });

  test('the launcher stands still while virt-handler starts: nobody stops the guest', async () => {
    await undisturbed(async () => {
      const launcher = podProcess(launcherPod(await running()), /virt-launcher\.mjs/).pid;
      process.kill(launcher, 'SIGSTOP');
      try {
        await restartHandler();
        await delay(isLong ? 180_000 : 5_000);
      } finally {
        process.kill(launcher, 'SIGCONT');
      }
    });
  });

  test('a domain whose VMI vanished while virt-handler was away is found and ended', async () => {
    await undisturbed(async () => undefined);
    const { client } = instance;
    const handler = await instance.pidOf('virt-handler-node-1');
    const supervisor = await instance.pidOf('supervisor');
    // Nobody may start it again before the VMI is gone.
    process.kill(supervisor, 'SIGSTOP');
    try {
      process.kill(handler, 'SIGKILL');
      await ask('stop');
      await eventually('the VMI is gone from the API', 60_000, async () => {
        const found = await vmi();
        if (found === undefined) return true;
        if (found.metadata?.deletionTimestamp !== undefined)
          await client.patch(resources.virtualMachineInstances, key, {
            type: 'merge',
            body: { metadata: { finalizers: null } },
          });
        return undefined;
      });
    } finally {
      process.kill(supervisor, 'SIGCONT');
    }
    await stopped();
  });
});

/** UID of the launcher Pod of a VMI that runs. */
function launcherPod({ status }: VirtualMachineInstance): string {
  const [uid] = Object.keys(status?.activePods ?? {});
  assert.ok(uid);
  return uid;
}
