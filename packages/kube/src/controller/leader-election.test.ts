import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { runLeaderElection } from './leader-election.ts';
import { MemoryClient } from '../testing/memory-client.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

class World {
  readonly clock = new FakeClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly client = new MemoryClient();
  readonly told: string[] = [];

  run(identity: string, client = this.client): { abort: AbortController; done: Promise<void> } {
    const abort = new AbortController();
    const done = runLeaderElection(
      {
        client,
        leaseName: 'virt-controller',
        namespace: 'kubevirt',
        identity,
        clock: this.clock,
        log,
        onStarted: (signal) => {
          this.told.push(`${identity} leads`);
          signal.addEventListener('abort', () => this.told.push(`${identity} stops`));
        },
        onLost: () => this.told.push(`${identity} lost it`),
      },
      abort.signal,
    );
    return { abort, done };
  }

  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i += 1) {
      this.clock.advance(1000);
      for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  holder(): string {
    const [lease] = this.client.objects.values();
    return JSON.parse(JSON.stringify(lease)).spec.holderIdentity;
  }
}

test('one leads, the other waits; after a clean end the other takes over at once', async () => {
  const world = new World();
  const a = world.run('a');
  await world.pass(1);
  const b = world.run('b');
  await world.pass(60);
  assert.deepEqual(world.told, ['a leads']);
  a.abort.abort();
  await a.done;
  await world.pass(3);
  assert.deepEqual(world.told, ['a leads', 'a stops', 'b leads']);
  assert.equal(world.holder(), 'b');
  b.abort.abort();
  await b.done;
});

test('a leader that cannot renew gives up before another may take over', async () => {
  const world = new World();
  const cut = new MemoryClient();
  // The same objects seen through a link that breaks.
  Object.defineProperty(cut, 'objects', { value: world.client.objects });
  const a = world.run('a', cut);
  await world.pass(1);
  const b = world.run('b');
  await world.pass(10);
  cut.down = true;
  await world.pass(40);
  await a.done;
  assert.deepEqual(world.told, ['a leads', 'a stops', 'a lost it', 'b leads']);
  b.abort.abort();
  await b.done;
});

test('a short absence of the server is survived', async () => {
  const world = new World();
  const a = world.run('a');
  await world.pass(5);
  world.client.down = true;
  await world.pass(7);
  world.client.down = false;
  await world.pass(60);
  assert.deepEqual(world.told, ['a leads']);
  a.abort.abort();
  await a.done;
});

test('a clock that jumps, forward or back, takes the lease from nobody', async () => {
  const world = new World();
  const { abort } = world.run('a');
  await world.pass(1);
  const other = world.run('b');
  for (const hours of [3, -5]) {
    world.clock.jump(hours * 3_600_000);
    await world.pass(30);
  }
  assert.deepEqual(world.told, ['a leads']);
  abort.abort();
  other.abort.abort();
});
