import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { vmiWith } from '../../testing/objects.ts';
import { OverTimes } from './over-times.ts';

const vmi = (phase: string, uid: string) => vmiWith({ phase }, { metadata: { name: 'a', uid } });

test('since when a VMI is known to be over, whatever becomes of the time of day', () => {
  const clock = new FakeClock(1_000_000);
  const times = new OverTimes(clock);
  assert.equal(times.overForMs('ns/a', vmi('Running', 'one')), 0);
  clock.advance(5_000);
  assert.equal(
    times.overForMs('ns/a', vmi('Succeeded', 'one')),
    0,
    'it counts from the first look at the end',
  );
  clock.jump(-3_600_000);
  clock.advance(700);
  assert.equal(times.overForMs('ns/a', vmi('Succeeded', 'one')), 700);
  assert.equal(times.overForMs('ns/a', vmi('Failed', 'two')), 0, 'another VMI of the same name');
});

test('nothing is kept of what is gone or runs', () => {
  const clock = new FakeClock();
  const times = new OverTimes(clock);
  times.overForMs('ns/a', vmi('Failed', 'one'));
  times.overForMs('ns/b', vmi('Failed', 'two'));
  assert.equal(times.size, 2);
  times.forget('ns/a');
  times.overForMs('ns/b', vmi('Running', 'two'));
  assert.equal(times.size, 0);
});
