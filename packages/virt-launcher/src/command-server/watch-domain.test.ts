import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { launcherProto } from '@podvisor/api';
import type { LibvirtConnection, LibvirtState } from '@podvisor/libvirt';
import { FakeClock } from '@podvisor/base';
import { DomainObserver } from '../domain/domain-observer.ts';
import { LibvirtUnavailable } from '../domain/libvirt-session.ts';
import { silentLog } from '../log.ts';
import { DomainWatchers, type EventSink } from './watch-domain.ts';

/** A libvirt of three answers: no connection, no domain, or a domain in a state. */
function world(): {
  observer: DomainObserver;
  become(next: 'away' | 'absent' | LibvirtState): Promise<void>;
} {
  let now: 'away' | 'absent' | LibvirtState = 'absent';
  const ref = { name: 'ns_vm', uuid: 'u', id: 1 };
  const connection = {
    lookupByName: async () => (now === 'absent' ? undefined : ref),
    state: async () => (typeof now === 'object' ? now : { state: 0, reason: 0 }),
    getXml: async () => '<domain/>',
  } satisfies Pick<LibvirtConnection, 'lookupByName' | 'state' | 'getXml'>;
  const observer = new DomainObserver({
    domainName: 'ns_vm',
    vmiUid: 'v',
    leases: new Map(),
    connection: () => {
      if (now === 'away') throw new LibvirtUnavailable();
      return connection as unknown as LibvirtConnection;
    },
    readFacts: () => ({
      diskTargets: {},
      pluggedVolumes: [],
      trackedVolumes: [],
      interfaces: [],
      agentConnected: false,
      usbSockets: [],
    }),
    guestFacts: () => ({}),
    accessCredentials: () => undefined,
    memoryDump: () => undefined,
    shutdownRequestedAt: () => undefined,
    migration: () => undefined,
    qemuPid: async () => 7,
    qemuLastWords: async () => '',
    clock: new FakeClock(),
    log: silentLog,
  });
  return {
    observer,
    become: async (next) => {
      now = next;
      if (next === 'away') observer.lost();
      await observer.refresh();
    },
  };
}

class TestSink implements EventSink {
  readonly states: (string | undefined)[] = [];
  readonly reasons: string[] = [];
  full = false;
  drain: () => void = () => {};
  write(message: launcherProto.DomainEvent): boolean {
    this.states.push(message.domain.length === 0 ? undefined : JSON.parse(message.domain.toString()).state);
    if (message.eventReason !== '') this.reasons.push(message.eventReason);
    return !this.full;
  }
  onDrain(fn: () => void): void {
    this.drain = fn;
  }
  onEnd(): void {}
}

const RUNNING = { state: 1, reason: 1 };
const PAUSED = { state: 3, reason: 1 };
const OFF = { state: 5, reason: 1 };

test('the first message is the state at subscription, then one for each change', async () => {
  const { observer, become } = world();
  const sink = new TestSink();
  const watchers = new DomainWatchers(observer);
  watchers.add(sink);
  assert.deepEqual(sink.states, [], 'nothing is told before anything is known');
  await become('absent');
  await become(RUNNING);
  await become(RUNNING);
  await become(PAUSED);
  assert.deepEqual(sink.states, [undefined, 'Running', 'Paused']);
  const late = new TestSink();
  watchers.add(late);
  assert.deepEqual(late.states, ['Paused']);
});

test('while libvirtd is away nobody is told that the domain is gone', async () => {
  const { observer, become } = world();
  const sink = new TestSink();
  new DomainWatchers(observer).add(sink);
  await become(RUNNING);
  await become('away');
  assert.equal(observer.known.kind, 'unknown');
  await become(PAUSED);
  assert.deepEqual(sink.states, ['Running', 'Paused']);
});

test('a slow watcher gets the newest state, not the ones in between', async () => {
  const { observer, become } = world();
  const sink = new TestSink();
  new DomainWatchers(observer).add(sink);
  sink.full = true;
  await become(RUNNING);
  await become(PAUSED);
  await become(RUNNING);
  await become(OFF);
  assert.deepEqual(sink.states, ['Running']);
  sink.drain();
  assert.deepEqual(sink.states, ['Running', 'Shutoff']);
});

test('the steps of a start are not told', async () => {
  const { observer, become } = world();
  const sink = new TestSink();
  new DomainWatchers(observer).add(sink);
  await become('absent');
  await observer.hold(async () => {
    await become(PAUSED);
    await become(RUNNING);
  });
  assert.deepEqual(sink.states, [undefined, 'Running']);
});

test('notices travel with the state of the moment, and too many are dropped', async () => {
  const { observer, become } = world();
  const sink = new TestSink();
  const watchers = new DomainWatchers(observer);
  watchers.add(sink);
  await become(RUNNING);
  watchers.notify({ type: 'Warning', reason: 'IOerror', message: 'm' });
  assert.deepEqual([sink.states, sink.reasons], [['Running', 'Running'], ['IOerror']]);
  sink.full = true;
  for (let i = 0; i < 100; i++) watchers.notify({ type: 'Warning', reason: `r${i}`, message: 'm' });
  sink.full = false;
  sink.drain();
  assert.deepEqual(sink.reasons.slice(0, 2), ['IOerror', 'r0']);
  assert.equal(sink.reasons.length, 2 + 16);
  assert.equal(sink.reasons.at(-1), 'r99');
});
