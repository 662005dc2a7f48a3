import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastTime, nextTime } from './next-time.ts';
import { parseSchedule, ScheduleError } from './schedule.ts';

const at = (text: string): number => Date.parse(text);

test('the next time of a schedule', () => {
  const cases: readonly (readonly [string, string, string, string?])[] = [
    ['* * * * *', '2026-01-01T00:00:30Z', '2026-01-01T00:01:00Z'],
    ['*/15 * * * *', '2026-01-01T00:15:00Z', '2026-01-01T00:30:00Z'],
    ['0 3 * * *', '2026-01-01T03:00:00Z', '2026-01-02T03:00:00Z'],
    ['30 2 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T02:30:00Z'],
    ['0 0 * * mon', '2026-01-01T00:00:00Z', '2026-01-05T00:00:00Z'],
    ['0 0 13 * fri', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['@monthly', '2026-01-15T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['0 9 * * *', '2026-07-01T00:00:00Z', '2026-07-01T07:00:00Z', 'Europe/Berlin'],
    ['0 9 * * *', '2026-01-01T00:00:00Z', '2026-01-01T08:00:00Z', 'Europe/Berlin'],
    ['@every 90s', '2026-01-01T00:00:00Z', '2026-01-01T00:01:30Z'],
  ];
  for (const [text, after, expected, zone] of cases) {
    const next = nextTime(parseSchedule(text), at(after), zone);
    assert.equal(
      next === undefined ? undefined : new Date(next).toISOString(),
      new Date(expected).toISOString(),
      text,
    );
  }
});

test('a day that does not exist never comes', () => {
  assert.equal(nextTime(parseSchedule('0 0 30 2 *'), at('2026-01-01T00:00:00Z')), undefined);
});

test('missed times are counted, up to a limit', () => {
  const schedule = parseSchedule('*/10 * * * *');
  const from = at('2026-01-01T00:00:00Z');
  assert.deepEqual(lastTime(schedule, from, from + 35 * 60_000, 'UTC', 100), {
    at: from + 30 * 60_000,
    count: 3,
  });
  assert.equal(lastTime(schedule, from, from + 10 * 3_600_000, 'UTC', 5).count, 5);
});

test('what is no schedule is refused with the reason', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['* * * *', /expected exactly 5 fields, found 4: \[\* \* \* \*\]/],
    ['61 * * * *', /end of range \(61\) above maximum \(59\): 61/],
    ['a * * * *', /failed to parse int from a/],
    ['5-1 * * * *', /beginning of range \(5\) beyond end of range \(1\)/],
    ['*/0 * * * *', /step of range should be a positive number/],
    ['@often', /unrecognized descriptor: @often/],
  ];
  for (const [text, message] of cases)
    assert.throws(
      () => parseSchedule(text),
      (error) => error instanceof ScheduleError && message.test(error.message),
    );
});
