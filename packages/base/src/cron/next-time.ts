/** When a schedule comes round. Pure. */
import type { Schedule } from './schedule.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A schedule such as 30 February never comes: looking further than this makes no sense. */
const HORIZON_MS = 5 * 366 * 24 * HOUR_MS;

interface LocalTime {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** What a clock on the wall of a time zone shows. */
function wallClock(timeZone: string): (ms: number) => LocalTime {
  if (timeZone === 'UTC')
    return (ms) => {
      const date = new Date(ms);
      return {
        minute: date.getUTCMinutes(),
        hour: date.getUTCHours(),
        day: date.getUTCDate(),
        month: date.getUTCMonth() + 1,
        weekday: date.getUTCDay(),
      };
    };
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    minute: 'numeric',
    hour: 'numeric',
    day: 'numeric',
    month: 'numeric',
    weekday: 'short',
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    return {
      minute: number('minute'),
      hour: number('hour'),
      day: number('day'),
      month: number('month'),
      weekday: WEEKDAYS.indexOf(parts.get('weekday') ?? ''),
    };
  };
}

/** The first time after `afterMs` that the schedule names; undefined when it never comes. */
export function nextTime(schedule: Schedule, afterMs: number, timeZone = 'UTC'): number | undefined {
  if (schedule.kind === 'every') return Math.floor(afterMs / 1000) * 1000 + schedule.seconds * 1000;
  const { sets, anyDay } = schedule;
  const [minutes, hours, days, months, weekdays] = sets;
  const look = wallClock(timeZone);
  const isDay = ({ day, weekday }: LocalTime): boolean => {
    const [byDay, byWeekday] = [days?.has(day) === true, weekdays?.has(weekday) === true];
    // When both days are restricted, either one will do.
    return anyDay[0] || anyDay[1] ? byDay && byWeekday : byDay || byWeekday;
  };
  let at = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS;
  const end = at + HORIZON_MS;
  while (at < end) {
    const local = look(at);
    if (months?.has(local.month) !== true || !isDay(local) || hours?.has(local.hour) !== true)
      at += HOUR_MS - local.minute * MINUTE_MS;
    else if (minutes?.has(local.minute) !== true) at += MINUTE_MS;
    else return at;
  }
  return undefined;
}

/** The latest time in (`afterMs`, `untilMs`], and how many there were; at most `limit` are counted. */
export function lastTime(
  schedule: Schedule,
  afterMs: number,
  untilMs: number,
  timeZone: string,
  limit: number,
): { readonly at: number | undefined; readonly count: number } {
  let [at, count]: [number | undefined, number] = [undefined, 0];
  for (let next = nextTime(schedule, afterMs, timeZone); next !== undefined && next <= untilMs; ) {
    [at, count] = [next, count + 1];
    if (count >= limit) break;
    next = nextTime(schedule, next, timeZone);
  }
  return { at, count };
}
