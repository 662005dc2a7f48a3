/** All controllers together on an API in memory; the test plays user, kubelet and virt-handler. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clusterConfig,
  defaultVmi,
  type KubernetesObject,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { type Resource, resources } from '@podvisor/kube';
import { runControllers } from './controllers.ts';
import { FakeApi } from './testing/fake-api.ts';

const quiet = { info() {}, warn() {}, error() {} };
const START_MS = Date.parse('2026-01-01T00:00:00Z');

function isVmi(object: KubernetesObject): object is VirtualMachineInstance {
  return object.kind === 'VirtualMachineInstance';
}

/** A running set of controllers and what the test needs to play the others. */
class World {
  readonly api = new FakeApi();
  readonly clock = new FakeClock(START_MS);
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor() {
    this.api.admit = (_resource, object) =>
      isVmi(object)
        ? defaultVmi(object, { config: clusterConfig(), now: '2026-01-01T00:00:00Z', newUuid: () => 'uuid' })
        : object;
    this.#running = runControllers(
      { client: this.api, namespace: 'kubevirt', launcherImage: 'launcher:1', clock: this.clock, log: quiet },
      this.#stop.signal,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('test ends'));
    await this.#running.catch(() => undefined);
  }

  /** Waits for something to become true; the controllers run on real promises, only their clock is false. */
  async until<T>(what: string, probe: () => T | undefined | false): Promise<T> {
    for (let i = 0; i < 400; i++) {
      const value = probe();
      if (value !== undefined && value !== false) return value;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw new Error(
      `never happened: ${what}; writes: ${JSON.stringify(this.api.writes.map((w) => [w.verb, w.resource]))}`,
    );
  }

  /** Waits until the controllers have nothing more to do. */
  async settle(): Promise<void> {
    for (let quiet = 0, seen = -1; quiet < 10; quiet++) {
      if (seen !== this.api.writes.length) quiet = 0;
      seen = this.api.writes.length;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  vm(): VirtualMachine | undefined {
    return this.api.read(resources.virtualMachines, 'hello');
  }

  vmi(): VirtualMachineInstance | undefined {
    return this.api.read(resources.virtualMachineInstances, 'hello');
  }

  pod(): Pod | undefined {
    return this.api.all(resources.pods)[0];
  }

  change<T extends KubernetesObject>(
    resource: Resource<T>,
    object: T | undefined,
    next: (old: T) => T,
  ): void {
    assert.ok(object);
    this.api.put(resource, next(object));
  }

  /** The scheduler binds the Pod and the kubelet starts it. */
  runPod(): void {
    this.change(
      resources.pods,
      this.pod(),
      (pod): Pod => ({
        ...pod,
        spec: { ...pod.spec, nodeName: 'node-1' },
        status: {
          phase: 'Running',
          qosClass: 'Burstable',
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: pod.spec.containers.map(({ name }) => ({
            name,
            ready: true,
            restartCount: 0,
            image: '',
            imageID: '',
            state: { running: {} },
          })),
        },
      }),
    );
  }

  /** virt-handler reports a phase. */
  report(phase: string): void {
    this.change(resources.virtualMachineInstances, this.vmi(), (vmi) => ({
      ...vmi,
      status: {
        ...vmi.status,
        phase,
        phaseTransitionTimestamps: [
          ...(vmi.status?.phaseTransitionTimestamps ?? []),
          { phase, phaseTransitionTimestamp: '2026-01-01T00:00:01Z' },
        ],
      },
    }));
  }

  writesTo(plural: string): readonly string[] {
    return this.api.writes.filter(({ resource }) => resource === plural).map(({ verb }) => verb);
  }
}

const hello = (runStrategy: string): VirtualMachine => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'hello', namespace: 'default' },
  spec: {
    runStrategy,
    template: {
      metadata: { labels: { app: 'hello' } },
      spec: {
        domain: {
          devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] },
          memory: { guest: '128Mi' },
        },
        volumes: [{ name: 'root', containerDisk: { image: 'guest:1' } }],
      },
    },
  },
});

async function start(world: World, runStrategy = 'Always'): Promise<void> {
  world.api.put(resources.virtualMachines, hello(runStrategy));
  await world.until('launcher Pod', () => world.pod());
  world.runPod();
  await world.until('hand-over', () => world.vmi()?.status?.phase === 'Scheduled');
  world.report('Running');
  await world.until(
    'VM running',
    () => world.vm()?.status?.printableStatus === 'Running' && world.vm()?.status?.ready,
  );
}

test('a declared VM becomes a VMI, a Pod, and is handed over to its node', async () => {
  await using world = new World();
  await start(world);
  const vmi = world.vmi();
  assert.equal(vmi?.metadata?.labels?.['kubevirt.io/nodeName'], 'node-1');
  assert.equal(vmi?.metadata?.labels?.app, 'hello');
  assert.equal(vmi?.status?.nodeName, 'node-1');
  assert.deepEqual(vmi?.status?.activePods, { [world.pod()?.metadata.uid ?? '']: 'node-1' });
  assert.deepEqual(
    vmi?.status?.phaseTransitionTimestamps?.map((t) => t.phase),
    ['Pending', 'Scheduling', 'Scheduled', 'Running'],
  );
  assert.equal(world.api.all(resources.controllerRevisions).length, 1);
  assert.deepEqual(world.vm()?.metadata?.finalizers, ['kubevirt.io/virtualMachineControllerFinalize']);
  assert.equal(world.vm()?.status?.created, true);
});

test('a start costs the VMI at most three writes of ours, virt-handler included', async () => {
  await using world = new World();
  await start(world);
  await world.settle();
  const byController = world.writesTo('virtualmachineinstances').filter((verb) => verb !== 'create');
  const byHandler = 1;
  assert.ok(byController.length + byHandler <= 3, `controller: ${byController.join(', ')}`);
  assert.deepEqual(world.writesTo('pods'), ['create']);
  assert.deepEqual(world.writesTo('pods/status'), ['patch']);
});

test('nothing is written while nothing changes', async () => {
  await using world = new World();
  await start(world);
  await world.settle();
  const before = world.api.writes.length;
  world.clock.advance(60_000);
  world.change(resources.pods, world.pod(), (pod) => ({
    ...pod,
    metadata: { ...pod.metadata, annotations: { a: 'b' } },
  }));
  await world.settle();
  assert.equal(world.api.writes.length, before);
});

test('stopping deletes VMI and Pod, and the VM ends Stopped', async () => {
  await using world = new World();
  await start(world);
  world.change(resources.virtualMachines, world.vm(), (vm) => ({
    ...vm,
    spec: { ...vm.spec, runStrategy: 'Halted' },
  }));
  await world.until('VMI deletion', () => world.vmi()?.metadata?.deletionTimestamp);
  await world.until('Pod deletion', () => world.pod()?.metadata.deletionTimestamp);
  await world.until('Stopping', () => world.vm()?.status?.printableStatus === 'Stopping');
  world.report('Succeeded');
  world.api.remove(resources.pods, world.pod()?.metadata.name ?? '');
  await world.until('VMI gone', () => world.vmi() === undefined);
  await world.until('Stopped', () => world.vm()?.status?.printableStatus === 'Stopped');
  await world.settle();
  assert.equal(world.vmi(), undefined);
  assert.equal(world.vm()?.status?.created, false);
});

test('deleting the VM takes everything along', async () => {
  await using world = new World();
  await start(world);
  await world.api.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
  await world.until('Pod deletion', () => world.pod()?.metadata.deletionTimestamp);
  world.report('Succeeded');
  world.api.remove(resources.pods, world.pod()?.metadata.name ?? '');
  await world.until('VM gone', () => world.vm() === undefined);
  assert.equal(world.vmi(), undefined);
});

test('a guest that fails before it ran is started again after the backoff, not before', async () => {
  await using world = new World();
  world.api.put(resources.virtualMachines, hello('Always'));
  const first = await world.until('Pod', () => world.pod());
  const uid = world.vmi()?.metadata?.uid;
  world.change(resources.pods, first, (pod): Pod => ({ ...pod, status: { phase: 'Failed' } }));
  await world.until('failure counted', () => world.vm()?.status?.startFailure?.consecutiveFailCount === 1);
  await world.until('Pod deletion', () => world.pod()?.metadata.deletionTimestamp);
  world.api.remove(resources.pods, world.pod()?.metadata.name ?? '');
  await world.until(
    'backing off',
    () => world.vm()?.status?.printableStatus === 'CrashLoopBackOff' && world.vmi() === undefined,
  );
  await world.settle();
  world.clock.advance(9_000);
  await world.settle();
  assert.equal(world.vmi(), undefined);
  world.clock.advance(7_000);
  const second = await world.until('second VMI', () => world.vmi());
  assert.notEqual(second.metadata?.uid, uid);
});

test('a Pod that is gone with proof fails a running VMI, and the VM starts anew at once', async () => {
  await using world = new World();
  await start(world);
  const uid = world.vmi()?.metadata?.uid;
  world.api.remove(resources.pods, world.pod()?.metadata.name ?? '');
  await world.until('new VMI', () => world.vmi() !== undefined && world.vmi()?.metadata?.uid !== uid);
  assert.equal(world.vm()?.status?.startFailure, undefined);
});

test('a migration fails at once and says why', async () => {
  await using world = new World();
  world.api.put(resources.virtualMachineInstanceMigrations, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name: 'm', namespace: 'default' },
    spec: { vmiName: 'hello' },
  });
  const read = () => world.api.read(resources.virtualMachineInstanceMigrations, 'm');
  await world.until('failed', () => read()?.status?.phase === 'Failed');
  assert.match(read()?.status?.migrationState?.failureReason ?? '', /not available yet/);
});
