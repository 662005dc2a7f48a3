/** The controllers that move guests, together on an API in memory; the test plays kubelet and both virt-handlers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  KubernetesObject,
  KubeVirt,
  MigrationState,
  Node,
  Pod,
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { FakeClock, StatusError } from '@podvisor/base';
import { type Resource, resources } from '@podvisor/kube';
import { runControllers } from './controllers.ts';
import { migrationPolicies } from './resources.ts';
import { Activity } from './testing/activity.ts';
import { FakeApi } from './testing/fake-api.ts';
import { launcherPodOf } from './testing/objects.ts';
import { launcherPodName } from './watch/vmi/pod-name.ts';

const quiet = { info() {}, warn() {}, error() {} };
const MIGRATIONS = resources.virtualMachineInstanceMigrations;

class World {
  readonly api = new FakeApi();
  readonly clock = new FakeClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly #activity = new Activity();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(config: KubeVirt['spec'] = {}) {
    for (const name of ['n1', 'n2']) this.api.put<Node>(resources.nodes, nodeNamed(name));
    this.api.put<KubeVirt>(resources.kubeVirts, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'KubeVirt',
      metadata: { name: 'kubevirt', namespace: 'kubevirt' },
      spec: config,
      status: { phase: 'Deployed' },
    });
    this.#running = runControllers(
      {
        client: this.api,
        namespace: 'kubevirt',
        launcherImage: 'launcher:1',
        clock: this.clock,
        log: quiet,
        queues: this.#activity,
      },
      this.#stop.signal,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('test ends'));
    await this.#running.catch(() => undefined);
  }

  async until<T>(what: string, probe: () => T | undefined | false): Promise<T> {
    const value = await this.#activity.until(this.api, probe);
    if (value !== undefined) return value;
    throw new Error(
      `never happened: ${what}; ${JSON.stringify(this.api.all(MIGRATIONS).map((m) => m.status))}`,
    );
  }

  /** Until the controllers have nothing more to do. */
  idle(): Promise<void> {
    return this.#activity.idle(this.api);
  }

  /** A guest that runs on n1. */
  guest(name: string, image = 'launcher:1'): void {
    const vmi = this.api.put(resources.virtualMachineInstances, runningVmi(name, image));
    this.api.put(resources.pods, running(launcherPodOf(vmi), 'n1'));
  }

  migrate(name: string, vmiName: string): void {
    this.api.put<VirtualMachineInstanceMigration>(MIGRATIONS, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: {
        name,
        namespace: 'default',
        uid: `${name}-uid`,
        finalizers: ['kubevirt.io/migrationJobFinalize'],
      },
      spec: { vmiName },
    });
  }

  vmi(name: string): VirtualMachineInstance | undefined {
    return this.api.read(resources.virtualMachineInstances, name);
  }

  phase(name: string): string | undefined {
    return this.api.read(MIGRATIONS, name)?.status?.phase;
  }

  sourcePodName(vmi: string): string {
    const { uid = '' } = this.api.read(resources.virtualMachineInstances, vmi)?.metadata ?? {};
    return launcherPodName(vmi, uid);
  }

  target(uid: string): Pod | undefined {
    return this.api
      .all(resources.pods)
      .find((pod) => pod.metadata.labels?.['kubevirt.io/migrationJobUID'] === uid);
  }

  change<T extends KubernetesObject>(
    resource: Resource<T>,
    object: T | undefined,
    next: (old: T) => T,
  ): void {
    assert.ok(object);
    this.api.put(resource, next(object));
  }

  /** A virt-handler writes to the VMI's record. */
  record(name: string, state: MigrationState, status: VirtualMachineInstance['status'] = {}): void {
    this.change(resources.virtualMachineInstances, this.vmi(name), (vmi) => ({
      ...vmi,
      status: { ...vmi.status, migrationState: { ...vmi.status?.migrationState, ...state }, ...status },
    }));
  }

  async startTarget(uid: string): Promise<void> {
    await this.until(`target of ${uid}`, () => this.target(uid));
    this.change(resources.pods, this.target(uid), (pod) => running(pod, 'n2'));
  }
}

function nodeNamed(name: string): Node {
  const labels = { 'host-model-cpu.node.kubevirt.io/Haswell': 'true' };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
}

function runningVmi(name: string, image: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'default', labels: { 'kubevirt.io/nodeName': 'n1' } },
    spec: { domain: { devices: {}, memory: { guest: '128Mi' } }, evictionStrategy: 'LiveMigrate' },
    status: {
      phase: 'Running',
      nodeName: 'n1',
      launcherContainerImageVersion: image,
      conditions: [{ type: 'LiveMigratable', status: 'True' }],
    },
  };
}

function running(pod: Pod, nodeName: string): Pod {
  const state = { ready: true, restartCount: 0, image: '', imageID: '', state: { running: {} } };
  return {
    ...pod,
    spec: { ...pod.spec, nodeName },
    status: {
      phase: 'Running',
      containerStatuses: pod.spec.containers.map(({ name }) => ({ ...state, name })),
    },
  };
}

test('a guest moves: target Pod, hand-off, both nodes, the end and what is left of it', async () => {
  await using world = new World();
  world.guest('a');
  world.migrate('m', 'a');
  const target = await world.until('target Pod', () => world.target('m-uid'));
  assert.equal(target.spec.nodeSelector?.['cpu-model-migration.node.kubevirt.io/Haswell'], 'true');
  assert.equal(target.metadata.annotations?.['kubevirt.io/migrationJobName'], 'm');
  await world.until('Scheduling', () => world.phase('m') === 'Scheduling');
  await world.startTarget('m-uid');
  await world.until('hand-off', () => world.phase('m') === 'PreparingTarget');
  const handedOver = world.vmi('a');
  assert.equal(handedOver?.metadata?.labels?.['kubevirt.io/migrationTargetNodeName'], 'n2');
  assert.equal(handedOver?.status?.migrationState?.migrationConfiguration?.completionTimeoutPerGiB, 150);
  world.record('a', { targetNodeAddress: '10.0.0.2' });
  await world.until('TargetReady', () => world.phase('m') === 'TargetReady');
  world.record('a', { startTimestamp: '2026-01-01T00:00:01Z' });
  await world.until('Running', () => world.phase('m') === 'Running');
  world.record('a', { completed: true, endTimestamp: '2026-01-01T00:00:02Z' });
  await world.idle();
  assert.equal(world.phase('m'), 'Running');
  world.record('a', {}, { nodeName: 'n2' });
  await world.until('Succeeded', () => world.phase('m') === 'Succeeded');
  await world.until('released', () => world.api.read(MIGRATIONS, 'm')?.metadata?.finalizers?.length === 0);
  assert.equal(world.api.read(MIGRATIONS, 'm')?.status?.migrationState?.targetNode, 'n2');
  // The source's launcher has lost its virt-handler and does not end.
  world.clock.advance(61_000);
  await world.until(
    'the source Pod is ended',
    () => world.api.read(resources.pods, world.sourcePodName('a'))?.metadata.deletionTimestamp,
  );
  assert.equal(world.target('m-uid')?.metadata.deletionTimestamp, undefined);
});

test('a policy for the VMI is frozen into the hand-off', async () => {
  await using world = new World();
  world.api.put(migrationPolicies, {
    apiVersion: 'migrations.kubevirt.io/v1alpha1',
    kind: 'MigrationPolicy',
    metadata: { name: 'fast' },
    spec: {
      allowPostCopy: true,
      selectors: { virtualMachineInstanceSelector: { 'kubevirt.io/nodeName': 'n1' } },
    },
  });
  world.guest('a');
  world.migrate('m', 'a');
  await world.startTarget('m-uid');
  const state = await world.until('hand-off', () => world.vmi('a')?.status?.migrationState);
  assert.equal(state.migrationPolicyName, 'fast');
  assert.equal(state.migrationConfiguration?.allowPostCopy, true);
});

test('two leave a node at once; the third goes when one has ended, and a cancelled one leaves nothing', async () => {
  await using world = new World();
  for (const name of ['a', 'b', 'c']) {
    world.guest(name);
    world.migrate(`m-${name}`, name);
  }
  await world.until('third waits', () => world.phase('m-c') === 'Pending');
  await world.idle();
  assert.equal(world.target('m-c-uid'), undefined);
  await world.api.delete(MIGRATIONS, { namespace: 'default', name: 'm-a' });
  await world.until('gone', () => world.api.read(MIGRATIONS, 'm-a') === undefined);
  assert.notEqual(world.target('m-a-uid')?.metadata.deletionTimestamp, undefined);
  await world.until('third goes', () => world.target('m-c-uid'));
});

test('of two migrations of one guest, one moves it and the other says so', async () => {
  await using world = new World();
  world.guest('a');
  // The younger one sorts first: whoever has begun goes on all the same.
  world.migrate('m-z', 'a');
  await world.until('target', () => world.target('m-z-uid'));
  world.migrate('m-a', 'a');
  await world.until('refused', () => world.phase('m-a') === 'Failed');
  await world.idle();
  assert.match(
    world.api.read(MIGRATIONS, 'm-a')?.status?.migrationState?.failureReason ?? '',
    /another migration of the VMI is in progress: m-z/,
  );
  assert.equal(world.target('m-a-uid'), undefined);
  assert.equal(world.phase('m-z'), 'Scheduling');
});

test('a quota that refuses the target is told, and tried again', async () => {
  await using world = new World();
  let refuses = true;
  world.api.fail = ({ verb, resource }) => {
    if (refuses && verb === 'create' && resource === 'pods')
      throw new StatusError('Forbidden', 'pods "x" is forbidden: exceeded quota: q');
  };
  world.guest('a');
  world.migrate('m', 'a');
  const rejected = () =>
    world.api
      .read(MIGRATIONS, 'm')
      ?.status?.conditions?.some(({ type }) => type === 'migrationRejectedByResourceQuota');
  await world.until('condition', rejected);
  assert.equal(world.phase('m'), 'Pending');
  refuses = false;
  await world.idle();
  world.clock.advance(20_000);
  await world.until('Scheduling', () => world.phase('m') === 'Scheduling');
  assert.equal(rejected(), false);
});

test('an eviction mark and a drain taint make migrations, within the limits', async () => {
  await using world = new World();
  for (const name of ['a', 'b', 'c']) world.guest(name);
  world.record('a', {}, { evacuationNodeName: 'n1' });
  const made = () =>
    world.api.all(MIGRATIONS).filter(({ metadata }) => metadata?.name?.startsWith('kubevirt-evacuation-'));
  await world.until('one', () => made().length === 1);
  await world.idle();
  assert.equal(made().length, 1);
  const taints = [{ key: 'kubevirt.io/drain', effect: 'NoSchedule' }] as const;
  world.change(resources.nodes, world.api.read(resources.nodes, 'n1', ''), (node) => ({
    ...node,
    spec: { taints },
  }));
  await world.until('two', () => made().length === 2);
  await world.idle();
  assert.equal(made().length, 2);
  assert.equal(made()[0]?.spec.priority, 'system-critical');
});

test('guests in an older launcher are labelled, counted and moved when that is allowed', async () => {
  await using world = new World({ workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] } });
  world.guest('a', 'launcher:0');
  await world.idle();
  world.clock.advance(5_000);
  const [migration] = await world.until('migration', () => {
    const all = world.api.all(MIGRATIONS);
    return all.length > 0 && all;
  });
  assert.ok('kubevirt.io/workloadUpdateMigration' in (migration?.metadata?.annotations ?? {}));
  assert.equal(world.vmi('a')?.metadata?.labels?.['kubevirt.io/outdatedLauncherImage'], '');
  const kubevirt = world.api.read(resources.kubeVirts, 'kubevirt', 'kubevirt');
  assert.equal(kubevirt?.status?.outdatedVirtualMachineInstanceWorkloads, 1);
});

test('that no guest is in an older launcher is said too, and not again', async () => {
  await using world = new World();
  const read = () => world.api.read(resources.kubeVirts, 'kubevirt', 'kubevirt');
  assert.equal(read()?.status?.outdatedVirtualMachineInstanceWorkloads, undefined, 'nobody has counted yet');
  await world.idle();
  world.clock.advance(5_000);
  await world.until('count', () => read()?.status?.outdatedVirtualMachineInstanceWorkloads === 0);
  const version = read()?.metadata?.resourceVersion;
  world.guest('a');
  await world.idle();
  world.clock.advance(5_000);
  await world.idle();
  assert.equal(read()?.metadata?.resourceVersion, version);
});

test('a source Pod that is gone fails the guest, unless the guest may run on the target already', async () => {
  await using world = new World();
  world.guest('a');
  world.migrate('m', 'a');
  await world.startTarget('m-uid');
  await world.until('hand-off', () => world.phase('m') === 'PreparingTarget');
  world.record('a', { startTimestamp: '2026-01-01T00:00:01Z', targetNodeAddress: '10.0.0.2' });
  await world.until('Running', () => world.phase('m') === 'Running');
  world.api.remove(resources.pods, world.sourcePodName('a'));
  await world.idle();
  assert.equal(world.vmi('a')?.status?.phase, 'Running');
  world.api.remove(resources.pods, world.target('m-uid')?.metadata.name ?? '');
  await world.until('Failed', () => world.vmi('a')?.status?.phase === 'Failed');
  await world.until('migration failed', () => world.phase('m') === 'Failed');
});
