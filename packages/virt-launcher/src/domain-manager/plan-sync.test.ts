import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planSync, type SyncObservation } from './plan-sync.ts';

const fresh: SyncObservation = { started: false, terminating: false, userPaused: false, isMigrating: false };
const running = { state: 'Running', reason: 'Unknown' } as const;
const paused = { state: 'Paused', reason: 'User' } as const;
const off = { state: 'Shutoff', reason: 'Shutdown' } as const;

test('what a sync does', () => {
  const table: readonly (readonly [string, Partial<SyncObservation>, string])[] = [
    ['no domain yet', {}, 'start'],
    ['defined by a start that was interrupted', { domain: off }, 'start'],
    ['runs', { domain: running, started: true }, 'none'],
    ['paused by a start that was interrupted', { domain: paused, started: true }, 'resume'],
    ['paused by a user', { domain: paused, started: true, userPaused: true }, 'none'],
    ['paused, and the Pod is ending', { domain: paused, started: true, terminating: true }, 'none'],
    [
      'paused because its disk is full',
      { domain: { state: 'Paused', reason: 'PausedIOError' }, started: true },
      'none',
    ],
    ['paused by a migration', { domain: { state: 'Paused', reason: 'Migration' }, started: true }, 'none'],
    ['the run is over', { domain: off, started: true }, 'none'],
    ['the run is over and cleaned up', { started: true }, 'none'],
    ['the Pod is ending', { terminating: true }, 'refuse'],
    ['crashed', { domain: { state: 'Crashed', reason: 'Panicked' }, started: true }, 'none'],
  ];
  for (const [name, seen, kind] of table) assert.equal(planSync({ ...fresh, ...seen }).kind, kind, name);
});
