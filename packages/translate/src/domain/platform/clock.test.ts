import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../../testing/vmi.ts';

test('the clock is reset to UTC, or shifted, or in a time zone', () => {
  assert.deepEqual(convertOf({ clock: { utc: {} } }).clock, { offset: 'utc', adjustment: 'reset' });
  assert.deepEqual(convertOf({ clock: { utc: { offsetSeconds: 60 } } }).clock, {
    offset: 'utc',
    adjustment: '60',
  });
  assert.deepEqual(convertOf({ clock: { timezone: 'Europe/Berlin' } }).clock, {
    offset: 'timezone',
    timezone: 'Europe/Berlin',
  });
  assert.equal(convertOf().clock, undefined);
});
