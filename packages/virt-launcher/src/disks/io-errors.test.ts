import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import type { DomainEvent } from '@podvisor/libvirt';
import type { DomainKnowledge } from '../domain/domain-observer.ts';
import { IoErrors } from './io-errors.ts';

const known = (state: string, reason: string): DomainKnowledge =>
  ({ kind: 'present', state: { state, reason }, facts: {} }) as unknown as DomainKnowledge;
const noSpace = {
  kind: 'ioError',
  domain: { name: 'd', uuid: 'u', id: 1 },
  path: '/disks/data.img',
  alias: 'ua-data',
  action: 1,
  reason: 'enospc',
} as unknown as DomainEvent;

/** Lets time pass, and what waits for promises in between. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5_000) {
    clock.advance(5_000);
    await new Promise(setImmediate);
  }
}

test('a guest that stands still for want of space goes on when there is some, and not before', async () => {
  const clock = new FakeClock();
  let free = 0;
  let resumed = 0;
  const errors = new IoErrors({
    resume: async () => void resumed++,
    isUserPaused: () => false,
    clock,
    log: { info() {}, warn() {}, error() {} } as never,
    freeBytes: () => free,
  });
  errors.event(noSpace);
  errors.observed(known('Paused', 'PausedIOError'));
  assert.deepEqual(errors.troubles, [{ volume: 'data', reason: 'no-space' }]);
  await pass(clock, 60_000);
  assert.equal(resumed, 0);
  free = 64 * 1024 * 1024;
  await pass(clock, 180_000);
  assert.ok(resumed > 0);
  errors.observed(known('Running', 'Unknown'));
  assert.deepEqual(errors.troubles, []);
  const before = resumed;
  await pass(clock, 600_000);
  assert.equal(resumed, before, 'a running guest is left alone');
});
