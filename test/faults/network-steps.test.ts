/**
 * virt-handler and virt-launcher are killed at the borders of every step of network phase 1, each time with a new VM.
 * A virt-handler that comes back completes what it finds; a VM whose launcher was killed gets another. In the end every
 * guest has booted and has its network. PODVISOR_FAIL_POINTS=all walks every border, and for example
 * PODVISOR_FAIL_POINTS=virt-launcher-bridge those of one process and binding.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { FailPoints } from '../support/fail-points/fail-points.ts';
import { Instance, root } from '../support/instance.ts';
import { type Binding, INTERFACES } from '../support/network-matrix/cells.ts';
import { networkVm } from '../support/guests/network-vm.ts';
import { allowBindings } from '../support/network-world.ts';
import { podProcess } from '../support/pod-processes.ts';

type Victim = 'virt-handler' | 'virt-launcher';
interface Walk {
  readonly victim: Victim;
  readonly binding: Binding;
  readonly point: string;
}

/** Number of steps that each binding's plan has for a Pod with both families. */
const STEPS: Readonly<Record<Binding, number>> = { masquerade: 3, bridge: 4, passt: 1 };

/** Before each step, and after the last. */
const ALL: readonly Walk[] = (['virt-handler', 'virt-launcher'] as const).flatMap((victim) =>
  (Object.keys(STEPS) as Binding[]).flatMap((binding) => [
    ...Array.from({ length: STEPS[binding] }, (_, step) => ({
      victim,
      binding,
      point: `step-${step}-before`,
    })),
    { victim, binding, point: `step-${STEPS[binding] - 1}-after` },
  ]),
);
/** Where the most is half done. */
const FEW: readonly Walk[] = [
  { victim: 'virt-handler', binding: 'masquerade', point: 'step-2-before' },
  { victim: 'virt-launcher', binding: 'bridge', point: 'step-3-before' },
];

const nameOf = ({ victim, binding, point }: Walk): string =>
  `${victim}-${binding}-${point.replace('step-', '')}`;
const wanted = process.env['PODVISOR_FAIL_POINTS'];
const walks =
  wanted === undefined ? FEW : ALL.filter((walk) => wanted === 'all' || nameOf(walk).startsWith(wanted));
const STALL_MS = 3_000;
/** Guests that boot at once. */
const TOGETHER = 4;
const BOOT_MS = 400_000;

describe('phase 1, step by step', { concurrency: 1 }, () => {
  let instance: Instance;
  let points: FailPoints;
  const vmi = (walk: Walk): Promise<VirtualMachineInstance | undefined> =>
    instance.client.find(resources.virtualMachineInstances, { namespace: 'default', name: nameOf(walk) });
  const firstPods = new Map<Walk, string>();
  /** Guests that run have their network looked at again and again: a name of its own keeps a point for one of them. */
  const nicOf = (walk: Walk): string => `nic${walks.indexOf(walk)}`;

  before(async () => {
    instance = await Instance.prepare();
    points = new FailPoints(instance);
    const net = instance.podCidr.split('.')[1];
    const { code, stdout, stderr } = await instance.podvisor([
      'up',
      '--no-wait',
      `${root}/examples/hello.yaml`,
      ...['--api-port', String(instance.apiPort), '--pod-cidr', `${instance.podCidr},fd00:${net}::/64`],
    ]);
    assert.equal(code, 0, stdout + stderr);
    await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
    await allowBindings(instance);
  });
  after(() => instance?.purge());

  const kill = (walk: Walk): void => {
    const { victim, binding, point } = walk;
    test(`${binding}: ${victim} is killed at ${point}`, { timeout: 300_000 }, async () => {
      // A launcher is killed while virt-handler stands at the point.
      const isHandler = victim === 'virt-handler';
      const name = nicOf(walk);
      const border = `network-${name}-${point}`;
      points.set('virt-handler', border, isHandler ? 'kill' : `stall ${STALL_MS}`);
      const vm = networkVm(nameOf(walk), [{ name, ...INTERFACES[binding] }], [{ name, pod: {} }]);
      await instance.client.create(resources.virtualMachines, vm);
      await eventually(`virt-handler is at ${border}`, 120_000, () =>
        points.wasTaken('virt-handler', border) ? true : undefined,
      );
      const pod = await eventually('its Pod is known', 30_000, async () => {
        const { items } = await instance.client.list(resources.pods, {
          labelSelector: `app=${nameOf(walk)}`,
        });
        return items[0]?.metadata.uid;
      });
      firstPods.set(walk, pod);
      if (!isHandler) process.kill(podProcess(pod, /virt-launcher\.mjs/).pid, 'SIGKILL');
    });
  };

  const look = (walk: Walk): void => {
    test(`${nameOf(walk)}: the guest runs and has its network`, { timeout: BOOT_MS + 30_000 }, async () => {
      const text = await eventually('the guest shows its network', BOOT_MS, async () => {
        const ips = (await vmi(walk))?.status?.interfaces?.[0]?.ipAddresses ?? [];
        const address = ips.find((ip) => !ip.includes(':')) ?? assert.fail('no address yet');
        const signal = AbortSignal.timeout(15_000);
        const page = await (await fetch(`http://${address}/cgi-bin/net`, { signal })).text();
        assert.match(page, /default via \d/);
        assert.match(page, /default via fe80:/);
        return page;
      });
      assert.match(text, walk.binding === 'masquerade' ? /inet 10\.0\.2\.2\// : /inet 10\.\d+\.0\.\d+\//);
      // A killed launcher takes its Pod along; a killed virt-handler takes nothing.
      const pods = Object.keys((await vmi(walk))?.status?.activePods ?? {});
      assert.equal(pods.includes(firstPods.get(walk) ?? ''), walk.victim === 'virt-handler');
      await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: nameOf(walk) });
    });
  };

  for (let first = 0; first < walks.length; first += TOGETHER) {
    const some = walks.slice(first, first + TOGETHER);
    for (const walk of some) kill(walk);
    for (const walk of some) look(walk);
  }
});
