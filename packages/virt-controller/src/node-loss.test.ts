/** A lost node, with all controllers on an API in memory; the test plays both virt-handlers, kubelet and watcher. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lease, Node, Pod, VirtualMachineInstance } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { runControllers } from './controllers.ts';
import { Activity } from './testing/activity.ts';
import { FakeApi } from './testing/fake-api.ts';
import { launcherPodOf } from './testing/objects.ts';

const quiet = { info() {}, warn() {}, error() {} };
const SILENCE_MS = 20_000;
const RENEW_MS = SILENCE_MS / 4;

class World implements AsyncDisposable {
  readonly api = new FakeApi();
  readonly clock = new FakeClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly #activity = new Activity();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #renewals = 0;

  constructor() {
    for (const name of ['n1', 'n2']) {
      const labels = { 'kubevirt.io/schedulable': 'true' };
      this.api.put<Node>(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
      this.speak(name);
    }
    const vmi = this.api.put(resources.virtualMachineInstances, guest);
    const pod = launcherPodOf(vmi);
    this.api.put(resources.pods, {
      ...pod,
      spec: { ...pod.spec, nodeName: 'n1' },
      status: { phase: 'Running' },
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

  /** The node's virt-handler renews its Lease. */
  speak(node: string): void {
    this.#renewals += 1;
    this.api.put<Lease>(resources.leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: `virt-handler-${node}`, namespace: 'kubevirt' },
      spec: { holderIdentity: node, renewTime: `renewal ${this.#renewals}` },
    });
  }

  /** Time passes in which only these nodes are heard of. */
  async pass(ms: number, ...speaking: readonly string[]): Promise<void> {
    for (let left = ms; left > 0; left -= RENEW_MS) {
      this.clock.advance(Math.min(RENEW_MS, left));
      for (const node of speaking) this.speak(node);
      await this.idle();
    }
  }

  /** Until the controllers have nothing more to do. Pods that are deleted go. */
  async idle(): Promise<void> {
    for (;;) {
      await this.#activity.idle(this.api);
      const deleted = this.api.all(resources.pods).filter(({ metadata }) => metadata.deletionTimestamp);
      if (deleted.length === 0) return;
      for (const { metadata } of deleted) this.api.remove(resources.pods, metadata.name ?? '');
    }
  }

  watcher(): Pod | undefined {
    return this.api.all(resources.pods).find((pod) => pod.metadata.labels?.['kubevirt.io'] === 'lease-watch');
  }

  silenceOf(pod: Pod | undefined): string | undefined {
    const { args = [] } = pod?.spec.containers[0] ?? {};
    return args[args.indexOf('--silent-since') + 1];
  }

  /** The watcher ends with these words. */
  report(verdict: string): void {
    const pod = this.watcher();
    assert.ok(pod);
    const message = JSON.stringify({ verdict, message: 'not renewed for 16 s', silenceMs: SILENCE_MS });
    const state = { terminated: { exitCode: 0, message } };
    const status = { name: 'lease-watch', ready: false, restartCount: 0, image: '', imageID: '', state };
    this.api.put(resources.pods, { ...pod, status: { phase: 'Succeeded', containerStatuses: [status] } });
  }

  vmi(): VirtualMachineInstance | undefined {
    return this.api.read(resources.virtualMachineInstances, 'a');
  }

  isCalledLost(): boolean {
    return this.vmi()?.status?.conditions?.some(({ type }) => type === 'NodeLost') === true;
  }
}

const guest: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a', namespace: 'default', labels: { 'kubevirt.io/nodeName': 'n1' } },
  spec: {
    domain: { devices: { disks: [{ name: 'root', disk: {} }] }, memory: { guest: '128Mi' } },
    volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'root' } }],
  },
  status: {
    phase: 'Running',
    nodeName: 'n1',
    conditions: [{ type: 'FencedByLease', status: 'True', reason: 'LeaseRenewed' }],
    volumeStatus: [
      { name: 'root', target: 'vda', persistentVolumeClaimInfo: { accessModes: ['ReadWriteMany'] } },
    ],
  },
};

test('the lease is watched while the node is only late; nobody is told, and what was seen is forgotten with a word of the node', async () => {
  await using world = new World();
  await world.idle();
  await world.pass(5_000, 'n2');
  assert.equal(world.watcher(), undefined);
  await world.pass(5_000, 'n2');
  const first = world.watcher();
  assert.ok(first, 'after half of the silence');
  assert.ok(!world.isCalledLost());
  // Its storage is cut, and its node well: the watcher says that the lease is over, and that counts for nothing.
  world.report('expired');
  await world.idle();
  world.speak('n1');
  await world.idle();
  assert.equal(world.watcher(), undefined);
  assert.equal(world.vmi()?.status?.phase, 'Running');

  await world.pass(10_000, 'n2');
  const second = world.watcher();
  assert.ok(second);
  assert.notEqual(world.silenceOf(second), world.silenceOf(first));
  await world.pass(10_000, 'n2');
  assert.ok(world.isCalledLost());
  assert.equal(world.watcher()?.metadata.uid, second.metadata.uid, 'the one that has begun goes on');
  assert.equal(world.vmi()?.status?.phase, 'Running', 'silence alone ends nothing');
  world.report('expired');
  await world.idle();
  assert.equal(world.vmi()?.status?.phase, 'Failed');
  assert.equal(world.watcher(), undefined);
});

test('a lease that is over before the node counts as lost ends the guest when it does', async () => {
  await using world = new World();
  await world.idle();
  await world.pass(10_000, 'n2');
  world.report('released');
  await world.pass(5_000, 'n2');
  assert.equal(world.vmi()?.status?.phase, 'Running');
  await world.pass(5_000, 'n2');
  assert.equal(world.vmi()?.status?.phase, 'Failed');
});

test('while nothing at all is heard, nothing is prepared', async () => {
  await using world = new World();
  await world.idle();
  await world.pass(15_000);
  assert.equal(world.watcher(), undefined);
});

test('a node whose turn comes while nobody is heard is not forgotten: it is lost by its own time', async () => {
  await using world = new World();
  await world.idle();
  // The API server was away for longer than virt-handlers need for three renewals.
  await world.pass(20_000);
  await world.pass(25_000, 'n2');
  assert.ok(world.isCalledLost());
});
