import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { Expectations } from './expectations.ts';

test('creations are awaited until each was seen', () => {
  const expectations = new Expectations(new FakeClock());
  assert.ok(expectations.satisfied('vm'));
  expectations.expectCreations('vm', 2);
  expectations.creationObserved('vm');
  assert.ok(!expectations.satisfied('vm'));
  expectations.creationObserved('vm');
  assert.ok(expectations.satisfied('vm'));
  expectations.creationObserved('vm');
  assert.ok(expectations.satisfied('vm'), 'an event nobody waits for changes nothing');
});

test('deletions are awaited by UID: another object of the same name does not count', () => {
  const expectations = new Expectations(new FakeClock());
  expectations.expectDeletions('vm', ['uid-1']);
  expectations.deletionObserved('vm', 'uid-2');
  assert.ok(!expectations.satisfied('vm'));
  expectations.deletionObserved('vm', 'uid-1');
  assert.ok(expectations.satisfied('vm'));
});

test('what was never seen is given up after five minutes', () => {
  const clock = new FakeClock();
  const expectations = new Expectations(clock);
  expectations.expectCreations('vm', 1);
  clock.advance(299_999);
  assert.ok(!expectations.satisfied('vm'));
  clock.advance(1);
  assert.ok(expectations.satisfied('vm'));
});
