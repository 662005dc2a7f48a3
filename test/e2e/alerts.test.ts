/**
 * Faults that are provoked on a real home, read by a real Prometheus: each fires the alerts that it should and no
 * other, and they end when it is mended. Rules are those of `up --monitoring`, but for their patience.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { Instance } from '../support/instance.ts';
import { Monitoring } from '../support/monitoring.ts';

/** Nothing boots in it: a machine that costs little. `template`: what is special about it. */
function vmi(name: string, nic: object, template: object = {}): object {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { namespace: 'default', name },
    spec: {
      domain: {
        memory: { guest: '64Mi' },
        devices: { interfaces: [{ name: 'default', ...nic }] },
      },
      networks: [{ name: 'default', pod: {} }],
      terminationGracePeriodSeconds: 0,
      ...template,
    },
  };
}

const LEASE = 'PodvisorLeaseNearExpiry';
/** What was counted stays within its quarter of an hour. */
const PAST = ['PodvisorStartsFailing'];
const UNKNOWN_IMAGE = {
  volumes: [{ name: 'disk', containerDisk: { image: 'podvisor.local/nobody-has-this:1' } }],
};

describe('alerts', { concurrency: 1 }, () => {
  let instance: Instance;
  let monitoring: Monitoring;
  /** Waits until just these fire; one of `later` may, too: a lease ends some time after its holder stopped. */
  const fires = async (
    what: string,
    expected: readonly string[],
    later: readonly string[] = [],
  ): Promise<void> => {
    let last: readonly string[] = [];
    const wanted = expected.toSorted();
    await eventually(`${what}: ${wanted.join()}`, 60_000, async () => {
      last = (await monitoring.firing()).filter((name) => !later.includes(name));
      return last.join() === wanted.join() ? true : undefined;
    }).catch(() => undefined);
    assert.deepEqual(last, wanted, what);
  };
  const create = async (...objects: readonly object[]): Promise<void> => {
    for (const object of objects)
      await instance.client.create(resources.virtualMachineInstances, object as never);
  };
  const remove = async (...names: readonly string[]): Promise<void> => {
    const { code, stderr } = await instance.kubectl('delete', 'vmi', ...names);
    assert.equal(code, 0, stderr);
  };
  const isRunning = (name: string): Promise<unknown> =>
    eventually(`${name} runs`, 120_000, async () => {
      const key = { namespace: 'default', name };
      const { status } = await instance.client.get(resources.virtualMachineInstances, key);
      return status?.phase === 'Running' ? true : undefined;
    });
  /** While the process stands still; it goes on whatever happens. */
  const whileStopped = async (name: string, work: () => Promise<void>): Promise<void> => {
    const pid = await instance.pidOf(name);
    process.kill(pid, 'SIGSTOP');
    try {
      await work();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  };

  before(async () => {
    instance = await Instance.prepare();
    const { code, stdout, stderr } = await instance.up('--monitoring');
    assert.equal(code, 0, stdout + stderr);
    monitoring = new Monitoring(instance);
    await monitoring.targets();
    await monitoring.withoutPatience(1);
  });
  after(() => instance?.purge());

  test('a healthy home with a guest has none', async () => {
    await create(vmi('well', { masquerade: {} }));
    await isRunning('well');
    await eventually('the guest was read', 30_000, async () =>
      (await monitoring.results('kubevirt_vmi_cpu_usage_seconds_total{name="well"}')).length > 0
        ? true
        : undefined,
    );
    await fires('nothing is wrong', []);
  });

  test('a guest that should move and cannot', async () => {
    await create(vmi('bound', { bridge: {} }, { evictionStrategy: 'LiveMigrate' }));
    await fires('a guest on the network of its Pod itself', ['PodvisorVmBoundToNode', 'VMCannotBeEvicted']);
    await remove('bound');
    await fires('it is gone', []);
  });

  test('starts that wait for an image, and fail', async () => {
    const names = ['first', 'second', 'third'];
    await create(...names.map((name) => vmi(name, { masquerade: {} }, UNKNOWN_IMAGE)));
    await fires('an image that nobody has', ['PodvisorHandoffStuck']);
    const { code, stderr } = await instance.kubectl(
      'delete',
      'pods',
      '-l',
      'kubevirt.io=virt-launcher',
      '--field-selector',
      'status.phase=Pending',
    );
    assert.equal(code, 0, stderr);
    await fires('launchers that were taken away', ['PodvisorStartsFailing']);
    await remove(...names);
  });

  test('a virt-handler that stands still, and consoles that do not open', async () => {
    const handler = [
      'NoReadyVirtHandler',
      'OrphanedVirtualMachineInstances',
      'PodvisorTargetDown',
      'VirtHandlerDown',
    ];
    await whileStopped('virt-handler-node-1', async () => {
      const consoles = [1, 2, 3].map(() => instance.virtctl('console', 'well', '--timeout', '1'));
      await fires('nobody on the node', [...PAST, ...handler], [LEASE, 'PodvisorConsoleFailing']);
      for (const { code } of await Promise.all(consoles)) assert.notEqual(code, 0);
      await fires('no console opens', [...PAST, ...handler, 'PodvisorConsoleFailing'], [LEASE]);
    });
    await fires('it goes on', [...PAST, 'PodvisorConsoleFailing']);
  });

  test('a virt-controller that stands still is missed, in its own work and in that of virt-operator', async () => {
    await whileStopped('virt-controller', async () => {
      await fires('nobody leads', [
        ...PAST,
        'PodvisorConsoleFailing',
        'NoLeadingVirtController',
        'NoLeadingVirtOperator',
        'NoReadyVirtController',
        'NoReadyVirtOperator',
        'PodvisorTargetDown',
        'VirtControllerDown',
        'VirtOperatorDown',
      ]);
    });
  });
});
