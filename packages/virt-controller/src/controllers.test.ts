/** All controllers together on an API in memory; the test plays user, kubelet and virt-handler. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  finalizers,
  clusterConfig,
  defaultVmi,
  type KubernetesObject,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMICondition,
} from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { type Resource, resources } from '@podvisor/kube';
import { runControllers } from './controllers.ts';
import {
  pools,
  replicaSets,
  resourceQuotas,
  vmClones,
  vmSnapshotContents,
  vmSnapshots,
} from './resources.ts';
import { Activity } from './testing/activity.ts';
import { FakeApi } from './testing/fake-api.ts';
import { matcherResource } from './watch/vm/instancetype.ts';
import { unavailableKinds } from './watch/unavailable/kinds.ts';

const quiet = { info() {}, warn() {}, error() {} };
const VMI_QUEUE = 'virt-controller-vmi';
const START_MS = Date.parse('2026-01-01T00:00:00Z');

function isVmi(object: KubernetesObject): object is VirtualMachineInstance {
  return object.kind === 'VirtualMachineInstance';
}

/** A running set of controllers and what the test needs to play the others. */
class World {
  readonly api = new FakeApi();
  readonly clock = new FakeClock(START_MS);
  readonly activity = new Activity();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor() {
    this.api.admit = (_resource, object) =>
      isVmi(object)
        ? defaultVmi(object, { config: clusterConfig(), now: '2026-01-01T00:00:00Z', newUuid: () => 'uuid' })
        : object;
    this.#running = runControllers(
      {
        client: this.api,
        namespace: 'kubevirt',
        launcherImage: 'launcher:1',
        clock: this.clock,
        log: quiet,
        queues: this.activity,
      },
      this.#stop.signal,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('test ends'));
    await this.#running.catch(() => undefined);
  }

  /** Waits for something to become true; that the controllers have nothing more to do before it is, is a failure. */
  async until<T>(what: string, probe: () => T | undefined | false): Promise<T> {
    const value = await this.activity.until(this.api, probe);
    if (value !== undefined) return value;
    throw new Error(
      `never happened: ${what}; writes: ${JSON.stringify(this.api.writes.map((w) => [w.verb, w.resource]))}`,
    );
  }

  /** As `until`, and time passes: a write that was refused, because another one came before it, is tried again. */
  async untilRetried<T>(what: string, probe: () => T | undefined | false): Promise<T> {
    for (let i = 0; i < 60; i++) {
      const value = await this.activity.until(this.api, probe);
      if (value !== undefined) return value;
      this.clock.advance(1000);
    }
    return this.until(what, probe);
  }

  /** What happens to these objects is seen by others before the caches of this process show it. */
  showLate(resource: string): void {
    this.api.late = async (plural) => {
      if (plural !== resource) return;
      for (let turn = 0; turn < 20; turn++) await setImmediate();
    };
  }

  /** Until the controllers have nothing more to do. */
  idle(): Promise<void> {
    return this.activity.idle(this.api);
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
  report(phase: string, conditions: readonly VMICondition[] = []): void {
    this.change(resources.virtualMachineInstances, this.vmi(), (vmi) => ({
      ...vmi,
      status: {
        ...vmi.status,
        conditions: [
          ...(vmi.status?.conditions ?? []).filter(({ type }) => !conditions.some((c) => c.type === type)),
          ...conditions,
        ],
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

test('a start costs the VMI two writes of virt-controller: the hand-over, and that it is ready', async () => {
  await using world = new World();
  await start(world);
  await world.idle();
  // virt-handler's are counted where there is one: test/e2e/day-to-day.test.ts.
  assert.deepEqual(world.writesTo('virtualmachineinstances'), ['create', 'update', 'patch']);
  assert.deepEqual(world.writesTo('pods'), ['create']);
  assert.deepEqual(world.writesTo('pods/status'), ['patch']);
});

test('a start costs two writes when virt-handler says Ready together with Running', async () => {
  await using world = new World();
  world.api.put(resources.virtualMachines, hello('Always'));
  await world.until('launcher Pod', () => world.pod());
  world.runPod();
  await world.until('hand-over', () => world.vmi()?.status?.phase === 'Scheduled');
  // The kubelet has not looked at the readiness gate yet.
  world.change(
    resources.pods,
    world.pod(),
    (pod): Pod => ({
      ...pod,
      status: {
        ...pod.status,
        conditions: [
          { type: 'ContainersReady', status: 'True' },
          { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' },
          { type: 'kubevirt.io/virtual-machine-unpaused', status: 'True' },
        ],
      },
    }),
  );
  world.report('Running', [{ type: 'Ready', status: 'True' }]);
  await world.until('VM ready', () => world.vm()?.status?.ready);
  await world.idle();
  assert.deepEqual(
    world.writesTo('virtualmachineinstances').filter((verb) => verb !== 'create'),
    ['update'],
  );
});

test('nothing is written while nothing changes', async () => {
  await using world = new World();
  await start(world);
  await world.idle();
  const before = world.api.writes.length;
  world.clock.advance(60_000);
  const looked = world.activity.passes(VMI_QUEUE);
  world.change(resources.pods, world.pod(), (pod) => ({
    ...pod,
    metadata: { ...pod.metadata, annotations: { a: 'b' } },
  }));
  await world.until('a pass over the VMI', () => world.activity.passes(VMI_QUEUE) > looked);
  await world.idle();
  assert.equal(world.api.writes.length, before);
});

for (const plural of ['virtualmachineinstances', 'pods']) {
  test(`no write is tried again while the cache shows ${plural} as they were before`, async () => {
    await using world = new World();
    const { api } = world;
    api.put(resources.virtualMachines, hello('Always'));
    await world.until('launcher Pod', () => world.pod());
    await world.idle();
    const held = Promise.withResolvers<void>();
    // That the Pod runs is told; what is written then is not.
    api.late = (told) =>
      told === plural && world.writesTo('pods/status').length > 0 ? held.promise : undefined;
    world.runPod();
    await world.until('hand-over', () => world.vmi()?.status?.phase === 'Scheduled');
    const looked = world.activity.passes(VMI_QUEUE);
    const other = plural === 'pods' ? resources.virtualMachineInstances : resources.pods;
    const [object] = api.all<KubernetesObject>(other);
    world.change(other as Resource, object, (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata?.annotations, a: 'b' } },
    }));
    await world.until('a pass over the VMI', () => world.activity.passes(VMI_QUEUE) > looked);
    held.resolve();
    await world.idle();
    assert.deepEqual(world.writesTo('virtualmachineinstances'), ['create', 'update']);
    assert.deepEqual(world.writesTo('pods'), ['create']);
    assert.deepEqual(world.writesTo('pods/status'), ['patch']);
  });
}

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
  await world.idle();
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
  await world.idle();
  world.clock.advance(9_000);
  await world.idle();
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

const template = { metadata: { labels: { app: 'set' } }, spec: hello('Always').spec.template.spec } as const;
const selector = { matchLabels: { app: 'set' } } as const;

test('a replica set keeps its number of VMIs and follows a scale', async () => {
  await using world = new World();
  world.showLate(replicaSets.plural);
  const set = (replicas: number) => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet' as const,
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, selector, template },
  });
  const vmis = () => world.api.all(resources.virtualMachineInstances);
  const alive = () => vmis().filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  const read = () => world.api.read(replicaSets, 'web');
  world.api.put(replicaSets, set(3));
  await world.until('three VMIs', () => vmis().length === 3);
  await world.until('status', () => read()?.status?.replicas === 3);
  world.change(replicaSets, read(), (old) => ({ ...old, spec: { ...old.spec, replicas: 1 } }));
  await world.until('one VMI', () => alive().length === 1);
  await world.until('status', () => read()?.status?.replicas === 1);
  await world.idle();
  assert.equal(alive().length, 1);
  assert.deepEqual(world.api.refused, []);
});

test('a pool makes numbered machines, and a new template reaches them', async () => {
  await using world = new World();
  world.showLate(pools.plural);
  world.api.put(pools, {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 2,
      selector,
      virtualMachineTemplate: {
        metadata: { labels: { app: 'set' } },
        spec: { runStrategy: 'Halted', template },
      },
    },
  });
  const vm = (index: number) => world.api.read(resources.virtualMachines, `web-${index}`);
  await world.until('both machines', () => vm(0) && vm(1));
  await world.until('status', () => world.api.read(pools, 'web')?.status?.replicas === 2);
  world.change(pools, world.api.read(pools, 'web'), (old) => {
    const { spec } = old.spec.virtualMachineTemplate;
    assert.ok(spec?.template.spec);
    const next = {
      ...spec,
      template: { ...spec.template, spec: { ...spec.template.spec, hostname: 'new' } },
    };
    return {
      ...old,
      spec: { ...old.spec, virtualMachineTemplate: { ...old.spec.virtualMachineTemplate, spec: next } },
    };
  });
  await world.until('the new template', () => vm(1)?.spec.template.spec?.hostname === 'new');
  await world.until('the new template', () => vm(0)?.spec.template.spec?.hostname === 'new');
  await world.idle();
  assert.equal(
    world.api.all(resources.controllerRevisions).filter((r) => r.metadata?.name?.startsWith('web-')).length,
    2,
  );
  assert.ok(!world.api.refused.includes(pools.plural));
});

test('a warm pool: each machine comes from the memory of the snapshot by a clone, and the clone goes', async () => {
  await using world = new World();
  const { api } = world;
  world.showLate('virtualmachineclones');
  const snapshotOf = (hasGuestAgent: boolean): void => {
    api.put(vmSnapshots, {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineSnapshot',
      metadata: { name: 'instant', namespace: 'default' },
      spec: {
        source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'hello' },
        includeMemory: true,
      },
      status: {
        phase: 'Succeeded',
        readyToUse: true,
        virtualMachineSnapshotContentName: 'content',
        memory: { claimName: 'memory' },
      },
    });
    api.put(vmSnapshotContents, {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineSnapshotContent',
      metadata: { name: 'content', namespace: 'default' },
      spec: {
        source: {
          virtualMachine: { metadata: { name: 'hello' }, spec: { runStrategy: 'Always', template } },
        },
        virtualMachineSnapshotName: 'instant',
        memoryBackup: { claimName: 'memory', vmiUID: 'vmi-uid', ...(hasGuestAgent ? { hasGuestAgent } : {}) },
      },
      status: { readyToUse: true },
    });
  };
  snapshotOf(false);
  api.put(resources.storageClasses, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'local' },
    provisioner: 'podvisor.io/local',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  const { uid, name } = api.read(vmSnapshotContents, 'content')?.metadata ?? {};
  api.put(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: 'memory',
      namespace: 'default',
      ownerReferences: [
        {
          apiVersion: 'snapshot.kubevirt.io/v1beta1',
          kind: 'VirtualMachineSnapshotContent',
          name: name ?? '',
          uid: uid ?? '',
          controller: true,
        },
      ],
    },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'local' },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  });
  api.put(pools, {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'web', namespace: 'default', generation: 1 },
    spec: {
      replicas: 2,
      warm: true,
      source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'instant' },
      selector,
      virtualMachineTemplate: { metadata: { labels: { app: 'set' } } },
    },
  });
  const pool = () => api.read(pools, 'web');
  const told = await world.until('it is refused with words', () =>
    pool()?.status?.conditions?.find(({ type }) => type === 'ReplicaFailure'),
  );
  assert.match(told.message ?? '', /virtualmachineclone web-\d: spec\.warm: the guest had no agent/);

  // Another snapshot of the guest, with its agent; the pool is changed, and tries again.
  snapshotOf(true);
  world.change(pools, pool(), (old) => ({
    ...old,
    metadata: { ...old.metadata, generation: 2 },
    spec: { ...old.spec, maxUnavailable: 1 },
  }));
  const vm = (index: number) => api.read(resources.virtualMachines, `web-${index}`);
  const isTaken = (index: number): boolean => vm(index)?.metadata?.ownerReferences?.[0]?.name === 'web';
  await world.untilRetried('both machines are the pool’s', () => isTaken(0) && isTaken(1));
  await world.untilRetried('both run', () =>
    [0, 1].every((index) => vm(index)?.spec.runStrategy === 'Always'),
  );
  await world.untilRetried('the clones are gone', () => api.all(vmClones).length === 0);
  await world.untilRetried(
    'status',
    () => pool()?.status?.replicas === 2 && pool()?.status?.conditions === undefined,
  );
  await world.idle();
  assert.deepEqual(
    api
      .all(resources.virtualMachines)
      .map(({ metadata }) => metadata?.name)
      .toSorted(),
    ['web-0', 'web-1'],
  );
  const copies = world.writesTo('virtualmachineclones');
  const [refused, made] = [2, 2];
  assert.equal(copies.filter((verb) => verb === 'create').length, refused + made);
  assert.equal(copies.filter((verb) => verb === 'delete').length, refused + made);
  assert.equal(vm(0)?.metadata?.labels?.['app'], 'set');
  assert.equal(vm(0)?.status?.hibernation?.newIdentity, true);
});

test('a change of the KubeVirt object is followed live, and one that cannot be read is told', async () => {
  await using world = new World();
  const kubevirt = (cpuAllocationRatio: number, cpuRequest?: string) => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt' as const,
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration: { cpuRequest, developerConfiguration: { cpuAllocationRatio } } },
    status: { phase: 'Deployed' },
  });
  const cpuOf = (name: string) => {
    const pods = world.api
      .all(resources.pods)
      .filter(({ metadata }) => metadata.name?.startsWith(`virt-launcher-${name}-`));
    return pods[0]?.spec.containers.find((container) => container.name === 'compute')?.resources?.requests
      ?.cpu;
  };
  const run = async (name: string) => {
    world.api.put(resources.virtualMachines, {
      ...hello('Always'),
      metadata: { name, namespace: 'default' },
    });
    return world.until(`Pod of ${name}`, () => cpuOf(name));
  };
  world.api.put(resources.kubeVirts, kubevirt(10));
  await world.idle();
  assert.equal(await run('a'), '100m');
  world.api.put(resources.kubeVirts, kubevirt(5));
  await world.idle();
  assert.equal(await run('b'), '200m');
  world.api.put(resources.kubeVirts, kubevirt(2, 'many'));
  const read = () => world.api.read(resources.kubeVirts, 'kubevirt', 'kubevirt')?.status?.conditions ?? [];
  await world.until('condition', () => read().some(({ reason }) => reason === 'InvalidConfiguration'));
  assert.equal(await run('c'), '200m', 'the last good configuration stays in force');
  world.api.put(resources.kubeVirts, kubevirt(1));
  await world.until('condition gone', () => read().length === 0);
  assert.equal(await run('d'), '1');
});

test('a quota on limits makes the Pod declare them', async () => {
  await using world = new World();
  world.api.put(resourceQuotas, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', namespace: 'default' },
    spec: { hard: { 'limits.cpu': '4', 'limits.memory': '8Gi' } },
  });
  await world.idle();
  world.api.put(resources.virtualMachines, hello('Always'));
  const pod = await world.until('Pod', () => world.pod());
  const limits = pod.spec.containers.find(({ name }) => name === 'compute')?.resources?.limits;
  assert.equal(limits?.cpu, '1');
  assert.notEqual(limits?.memory, undefined);
});

test('kinds that nothing acts on yet say so', async () => {
  await using world = new World();
  for (const { resource } of unavailableKinds) {
    world.api.put(resource, {
      apiVersion: `${resource.group}/${resource.version}`,
      kind: resource.kind,
      metadata: { name: 'x', ...(resource.namespaced ? { namespace: 'default' } : {}) },
    });
  }
  for (const { conditions, resource } of unavailableKinds.filter((kind) => kind.conditions !== undefined)) {
    const told = await world.until(resource.kind, () => world.api.read(resource, 'x')?.status?.conditions);
    assert.deepEqual(
      told.map(({ type }) => type),
      Object.keys(conditions ?? {}),
    );
    assert.match(told[0]?.message ?? '', /nothing acts on them yet/);
  }
});

test('requests to plug volumes change the template and leave the queue', async () => {
  await using world = new World();
  const vm = hello('Halted');
  const request = {
    addVolumeOptions: {
      name: 'data',
      disk: { disk: { bus: 'scsi' } },
      volumeSource: { dataVolume: { name: 'dv' } },
    },
  };
  world.api.put(resources.virtualMachines, { ...vm, status: { volumeRequests: [request as never] } });
  await world.until(
    'done',
    () => world.vm()?.status?.printableStatus && world.vm()?.status?.volumeRequests === undefined,
  );
  const spec = world.vm()?.spec.template.spec;
  assert.deepEqual(
    spec?.volumes?.map(({ name }) => name),
    ['root', 'data'],
  );
  assert.deepEqual(spec?.domain.devices.disks?.at(-1), { name: 'data', disk: { bus: 'scsi' } });
});

test('a memory dump without a guest fails and says why; its removal works', async () => {
  await using world = new World();
  world.api.put(resources.virtualMachines, {
    ...hello('Halted'),
    status: { memoryDumpRequest: { claimName: 'c', phase: 'Associating' } },
  });
  await world.until('failed', () => world.vm()?.status?.memoryDumpRequest?.phase === 'Failed');
  assert.match(world.vm()?.status?.memoryDumpRequest?.message ?? '', /the VMI ended/);
  world.change(resources.virtualMachines, world.vm(), (vm) => ({
    ...vm,
    status: { ...vm.status, memoryDumpRequest: { claimName: 'c', phase: 'Dissociating', remove: true } },
  }));
  await world.until('removed', () => world.vm()?.status?.memoryDumpRequest === undefined);
});

test('with referencePolicy expand, a VM takes over what it referred to', async () => {
  await using world = new World();
  const instancetypes = matcherResource('instancetype', 'VirtualMachineInstancetype');
  assert.ok(instancetypes);
  world.api.put(resources.kubeVirts, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration: { instancetype: { referencePolicy: 'expand' } } },
    status: { phase: 'Deployed' },
  });
  world.api.put(instancetypes, {
    metadata: { name: 'small', namespace: 'default' },
    spec: { cpu: { guest: 2 }, memory: { guest: '64Mi' } },
  });
  await world.idle();
  const vm = hello('Always');
  const { memory: _memory, ...domain } = vm.spec.template.spec?.domain ?? { devices: {} };
  world.api.put(resources.virtualMachines, {
    ...vm,
    spec: {
      ...vm.spec,
      instancetype: { name: 'small', kind: 'VirtualMachineInstancetype' },
      template: { spec: { ...vm.spec.template.spec, domain } },
    },
  });
  await world.until('VMI', () => world.vmi());
  assert.equal(world.vm()?.spec.instancetype, undefined);
  assert.equal(world.vm()?.spec.template.spec?.domain.memory?.guest, '64Mi');
  assert.equal(world.vmi()?.spec.domain.cpu?.sockets, 2);
  assert.equal(world.vm()?.status?.instancetypeRef, undefined);
});

test('a snapshot that is deleted keeps its memory until the copies that are under way are made', async () => {
  await using world = new World();
  const { api } = world;
  const finalizer = finalizers.snapshotContent;
  api.put(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'hibernation-copy', namespace: 'default' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      dataSource: { kind: 'PersistentVolumeClaim', name: 'memory' },
    },
    status: { phase: 'Pending' },
  });
  api.put(vmSnapshotContents, {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshotContent',
    metadata: {
      name: 'content',
      namespace: 'default',
      finalizers: [finalizer],
      deletionTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { source: {}, memoryBackup: { claimName: 'memory', vmiUID: 'vmi-uid' } },
  });
  await world.idle();
  assert.deepEqual(api.read(vmSnapshotContents, 'content')?.metadata?.finalizers, [finalizer]);
  world.change(
    resources.persistentVolumeClaims,
    api.read(resources.persistentVolumeClaims, 'hibernation-copy'),
    (old) => ({ ...old, status: { phase: 'Bound' as const } }),
  );
  await world.until('it goes', () => {
    const left = api.read(vmSnapshotContents, 'content')?.metadata?.finalizers ?? [];
    return left.length === 0;
  });
});
