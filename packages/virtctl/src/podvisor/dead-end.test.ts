import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue } from '../why/catalogue.ts';
import type { DeadEnd } from '../why/known/known-failure.ts';
import type { Diagnosis } from '../why/diagnose.ts';
import { judgeTrouble } from './dead-end.ts';

const found = (id: string, deadEnd?: DeadEnd): Diagnosis => ({
  id,
  title: id,
  cause: '',
  fix: '',
  evidence: { source: 'event', object: 'Pod/x', reason: '', message: '' },
  ...(deadEnd === undefined ? {} : { deadEnd }),
});

test('what does not pass ends the wait at once; what is no dead end never', () => {
  assert.equal(judgeTrouble(found('quota', 'at once'), true, undefined, 0).kind, 'dead end');
  assert.equal(judgeTrouble(found('crash-loop'), true, undefined, 0).kind, 'goes on');
  assert.equal(judgeTrouble(undefined, false, undefined, 0).kind, 'goes on');
});

test('what may pass ends it when it is still the same ten seconds later', () => {
  const first = judgeTrouble(found('pvc-pending', 'lasting'), true, undefined, 1_000);
  assert.deepEqual(first, {
    kind: 'look again',
    afterMs: 10_000,
    seen: { id: 'pvc-pending', sinceMs: 1_000 },
  });
  assert.equal(judgeTrouble(found('pvc-pending', 'lasting'), true, first.seen, 11_000).kind, 'dead end');
  // Another one in between: it has its own time.
  const other = judgeTrouble(found('no-space', 'lasting'), true, first.seen, 11_000);
  assert.deepEqual(other.seen, { id: 'no-space', sinceMs: 11_000 });
});

test('trouble that nobody has a name for is waited for longer', () => {
  const first = judgeTrouble(undefined, true, undefined, 0);
  assert.deepEqual(first, { kind: 'look again', afterMs: 45_000, seen: { sinceMs: 0 } });
  assert.equal(judgeTrouble(undefined, true, first.seen, 45_000).kind, 'dead end');
  assert.equal(judgeTrouble(undefined, false, first.seen, 45_000).kind, 'goes on');
});

test('of the failures on the way to a running guest only those that heal by themselves are no dead end', () => {
  const waits = catalogue.filter(({ handoff, deadEnd }) => handoff !== undefined && deadEnd === undefined);
  assert.deepEqual(
    waits.map(({ id }) => id),
    [],
  );
});
