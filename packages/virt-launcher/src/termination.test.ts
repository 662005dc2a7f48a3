import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainState, DomainStateReason } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import type { DomainKnowledge } from './domain/domain-observer.ts';
import type { RunState } from './domain-manager/context.ts';
import { silentLog } from './log.ts';
import { Termination } from './termination.ts';

function known(state: DomainState['state'], reason: DomainStateReason): DomainKnowledge {
  const domain: DomainState = {
    name: 'n',
    uuid: 'u',
    vmiUid: 'v',
    state,
    reason,
    diskTargets: {},
    interfaces: [],
    agentConnected: false,
  };
  return {
    kind: 'present',
    state: domain,
    facts: {
      diskTargets: {},
      pluggedVolumes: [],
      trackedVolumes: [],
      interfaces: [],
      agentConnected: false,
      usbSockets: [],
    },
  };
}

function scene(started: boolean, gracePeriodSeconds = 10, keepAfterFailure = false) {
  const clock = new FakeClock();
  const did: string[] = [];
  const runState: RunState = {
    userPaused: false,
    started,
    startedAs: undefined,
    incoming: undefined,
    seenActive: started,
    terminating: false,
    shutdownRequestedAt: undefined,
    memoryDump: undefined,
    hibernation: undefined,
    memorySnapshot: undefined,
    stoppedAtMs: undefined,
    builtAs: undefined,
    cancelThaw: undefined,
  };
  const termination = new Termination({
    runState,
    gracePeriodSeconds,
    keepAfterFailure,
    shutdown: async () => void did.push('shutdown'),
    kill: async () => void did.push('kill'),
    startEnded: async () => {},
    clock,
    log: silentLog,
  });
  let exitCode: number | undefined;
  void termination.finished.then((code) => {
    exitCode = code;
  });
  const exit = async (): Promise<number | undefined> => {
    await Promise.resolve();
    await Promise.resolve();
    return exitCode;
  };
  return { clock, did, termination, exit, runState };
}

test('the final state is held out until it was seen', async () => {
  const { termination, clock, exit } = scene(true);
  termination.observed(known('Shutoff', 'Shutdown'));
  clock.advance(5_000);
  assert.equal(await exit(), undefined);
  termination.delivered(known('Shutoff', 'Shutdown'));
  clock.advance(1_000);
  assert.equal(await exit(), 0);
});

test('nobody looks: it leaves after 15 s', async () => {
  const { termination, clock, exit } = scene(true);
  termination.observed(known('Shutoff', 'Crashed'));
  clock.advance(14_999);
  assert.equal(await exit(), undefined);
  clock.advance(1);
  assert.equal(await exit(), 1);
});

test('a deleted domain ends it at once, with the exit code of its end', async () => {
  const { termination, exit } = scene(true);
  termination.observed(known('Shutoff', 'Crashed'));
  termination.observed({ kind: 'absent' });
  assert.equal(await exit(), 1);
});

test('unknown is not gone', async () => {
  const { termination, clock, exit } = scene(true);
  termination.observed({ kind: 'unknown' });
  clock.advance(1_000_000);
  assert.equal(await exit(), undefined);
});

test('no domain before the first start is no end', async () => {
  const { termination, exit } = scene(false);
  termination.observed({ kind: 'absent' });
  assert.equal(await exit(), undefined);
});

test('asked to end: asks the guest, again every 5 s, and ends it when grace is over', async () => {
  const { termination, clock, did, exit } = scene(true, 12);
  await termination.requested();
  await termination.requested();
  assert.deepEqual(did, ['shutdown']);
  clock.advance(5_000);
  clock.advance(5_000);
  assert.deepEqual(did, ['shutdown', 'shutdown', 'shutdown']);
  clock.advance(2_000);
  assert.deepEqual(did.at(-1), 'kill');
  termination.observed(known('Shutoff', 'Destroyed'));
  termination.delivered(known('Shutoff', 'Destroyed'));
  clock.advance(1_000);
  assert.equal(await exit(), 0);
});

test('no grace: ended at once, not asked', async () => {
  const { termination, clock, did } = scene(true, 0);
  await termination.requested();
  clock.advance(0);
  assert.deepEqual(did, ['kill']);
});

test('asked to end before anything ran: leaves', async () => {
  const { termination, exit, runState } = scene(false);
  await termination.requested();
  assert.equal(await exit(), 0);
  assert.equal(runState.terminating, true);
});

test('kept after a failure, until asked to end', async () => {
  const { termination, clock, exit } = scene(true, 10, true);
  termination.observed(known('Shutoff', 'Crashed'));
  termination.delivered(known('Shutoff', 'Crashed'));
  termination.observed({ kind: 'absent' });
  clock.advance(1_000_000);
  assert.equal(await exit(), undefined);
  await termination.requested();
  assert.equal(await exit(), 1);
});
