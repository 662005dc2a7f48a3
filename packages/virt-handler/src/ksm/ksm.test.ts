import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LabelSelector, Node } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import type { KubeClient, Log } from '@podvisor/kube';
import type { KsmKernel } from './kernel.ts';
import { Ksm } from './ksm.ts';
import type { KsmState, NodeMemory } from './plan.ts';

const GIB = 1024 ** 3;
const ENABLED = 'kubevirt.io/ksm-enabled';
const MANAGED = 'kubevirt.io/ksm-handler-managed';
const EVERY_NODE: LabelSelector = {};
const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {} } as unknown as Log;

class Machine implements KsmKernel {
  state: KsmState | undefined = { running: false, pagesToScan: 100, sleepMs: 20 };
  availableBytes = GIB;
  read(): KsmState | undefined {
    return this.state;
  }
  write(state: KsmState): void {
    this.state = state;
  }
  stop(): void {
    if (this.state !== undefined) this.state = { ...this.state, running: false };
  }
  memory(): NodeMemory {
    return { totalBytes: 16 * GIB, availableBytes: this.availableBytes };
  }
}

/** One node, its kernel and the part under test; `step` waits for what a look wrote. */
class World {
  readonly machine = new Machine();
  readonly clock = new FakeClock();
  readonly stop = new AbortController();
  selector: LabelSelector | undefined = EVERY_NODE;
  node: Node = { metadata: { name: 'node-a', labels: { disk: 'fast' } } };
  writes = 0;
  readonly ksm: Ksm;
  readonly #looks: (() => void)[] = [];

  constructor() {
    const client = {
      get: async () => {
        queueMicrotask(() => this.#looks.shift()?.());
        return this.node;
      },
      patch: async (
        _resource: unknown,
        _key: unknown,
        { body }: { body: { metadata: Node['metadata'] } },
      ) => {
        this.writes += 1;
        const { labels, annotations } = body.metadata;
        const { metadata } = this.node;
        this.node = {
          metadata: {
            ...metadata,
            labels: { ...metadata.labels, ...labels },
            annotations: { ...metadata.annotations, ...annotations },
          },
        };
        return this.node;
      },
    } as unknown as Pick<KubeClient, 'get' | 'patch'>;
    const { clock, machine: kernel } = this;
    this.ksm = new Ksm({
      client,
      nodeName: 'node-a',
      kernel,
      selector: () => this.selector,
      clock,
      log: quiet,
    });
  }

  /** Resolves when the next look has been done, its write included. */
  async looked(cause: () => void): Promise<void> {
    const asked = new Promise<void>((resolve) => this.#looks.push(resolve));
    cause();
    await asked;
    await new Promise((resolve) => setImmediate(resolve));
  }

  get marks(): readonly (string | undefined)[] {
    return [this.node.metadata.labels?.[ENABLED], this.node.metadata.annotations?.[MANAGED]];
  }
}

describe('merging of equal memory pages', () => {
  test('starts where memory is tight, goes on each three minutes, and ends with us', async () => {
    const world = new World();
    let ended: Promise<void> | undefined;
    await world.looked(() => void (ended = world.ksm.run(world.stop.signal)));
    assert.equal(world.machine.state?.running, true);
    assert.deepEqual(world.marks, ['true', 'true']);
    await world.looked(() => world.clock.advance(180_000));
    assert.equal(world.machine.state?.pagesToScan, 400);
    assert.equal(world.writes, 1, 'the node is written when something about it changes');
    world.stop.abort();
    await ended;
    assert.equal(world.machine.state?.running, false);
  });

  test('other changes of the KubeVirt object, its status among them, bring no step forward', async () => {
    const world = new World();
    await world.looked(() => void world.ksm.run(world.stop.signal));
    assert.equal(world.machine.state?.pagesToScan, 100);
    world.selector = { ...EVERY_NODE };
    world.ksm.look();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(world.machine.state?.pagesToScan, 100);
    world.stop.abort();
  });

  test('does nothing while there is room, and says that the node is chosen', async () => {
    const world = new World();
    world.machine.availableBytes = 10 * GIB;
    await world.looked(() => void world.ksm.run(world.stop.signal));
    assert.equal(world.machine.state?.running, false);
    assert.deepEqual(world.marks, ['true', 'false']);
    world.stop.abort();
  });

  test('ends when the node is no longer chosen', async () => {
    const world = new World();
    await world.looked(() => void world.ksm.run(world.stop.signal));
    world.selector = { matchLabels: { disk: 'slow' } };
    await world.looked(() => world.ksm.look());
    assert.equal(world.machine.state?.running, false);
    assert.deepEqual(world.marks, ['false', 'false']);
    world.stop.abort();
  });

  test('what the process before has turned on is turned off when nobody wants it any more', async () => {
    const world = new World();
    world.selector = undefined;
    world.machine.state = { running: true, pagesToScan: 500, sleepMs: 20 };
    world.node = { metadata: { name: 'node-a', annotations: { [MANAGED]: 'true' } } };
    await world.looked(() => void world.ksm.run(world.stop.signal));
    assert.equal(world.machine.state.running, false);
    assert.deepEqual(world.marks, ['false', 'false']);
    world.stop.abort();
  });

  test('what somebody else has turned on is left alone', async () => {
    const world = new World();
    world.selector = undefined;
    world.machine.state = { running: true, pagesToScan: 500, sleepMs: 20 };
    let ended: Promise<void> | undefined;
    await world.looked(() => void (ended = world.ksm.run(world.stop.signal)));
    world.stop.abort();
    await ended;
    assert.deepEqual(world.machine.state, { running: true, pagesToScan: 500, sleepMs: 20 });
  });

  test('a kernel that cannot is not chosen', async () => {
    const world = new World();
    world.machine.state = undefined;
    await world.looked(() => void world.ksm.run(world.stop.signal));
    assert.deepEqual(world.marks, ['false', 'false']);
    world.stop.abort();
  });
});
