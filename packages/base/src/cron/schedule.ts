/**
 * The schedule of a CronJob: five fields (minute, hour, day of month, month, day of week) or a descriptor. A month or
 * day may be named. Problems are worded as the parser that Kubernetes uses words them.
 */
import { goDurationMs, goDurationProblem } from '../go-duration.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Not a schedule. The message says why. */
export class ScheduleError extends Error {}

/** A schedule: either the times that match each field, or a fixed distance. */
export type Schedule =
  | {
      readonly kind: 'fields';
      /** Minute, hour, day of month, month, day of week. */
      readonly sets: readonly ReadonlySet<number>[];
      /** A day field that was `*` does not widen the other one. */
      readonly anyDay: readonly [boolean, boolean];
    }
  | { readonly kind: 'every'; readonly seconds: number };

/** Reads a schedule; throws ScheduleError. */
export function parseSchedule(text: string): Schedule {
  if (text.startsWith('@every ')) return { kind: 'every', seconds: parseDuration(text.slice(7)) };
  if (text.startsWith('@') && DESCRIPTORS[text] === undefined)
    throw new ScheduleError(`unrecognized descriptor: ${text}`);
  const words = (DESCRIPTORS[text] ?? text).split(/\s+/).filter((word) => word !== '');
  if (words.length !== FIELDS.length)
    throw new ScheduleError(`expected exactly 5 fields, found ${words.length}: [${words.join(' ')}]`);
  const sets = FIELDS.map((bounds, i) => parseField(words[i] ?? '', bounds));
  const open = (word: string | undefined): boolean => /^[*?]/.test(word ?? '');
  return { kind: 'fields', sets, anyDay: [open(words[2]), open(words[4])] };
}

/** Whole seconds, one at least. */
function parseDuration(text: string): number {
  const ms = goDurationMs(text);
  if (ms === undefined)
    throw new ScheduleError(`failed to parse duration @every ${text}: ${goDurationProblem(text)}`);
  return Math.max(1, Math.trunc(ms / 1000));
}

function parseField(text: string, bounds: Bounds): ReadonlySet<number> {
  const found = new Set<number>();
  for (const part of text.split(',').filter((word) => word !== '')) addRange(found, part, bounds);
  return found;
}

function addRange(found: Set<number>, text: string, { min, max, names }: Bounds): void {
  const [range = '', step, ...more] = text.split('/');
  if (more.length > 0) throw new ScheduleError(`too many slashes: ${text}`);
  const ends = range.split('-');
  if (ends.length > 2) throw new ScheduleError(`too many hyphens: ${text}`);
  let [low, high] = [min, max];
  if (range !== '*' && range !== '?') {
    low = parseNumber(ends[0] ?? '', names, min);
    high = ends[1] === undefined ? (step === undefined ? low : max) : parseNumber(ends[1], names, min);
  }
  const by = step === undefined ? 1 : parseNumber(step, [], 0);
  if (low < min) throw new ScheduleError(`beginning of range (${low}) below minimum (${min}): ${text}`);
  if (high > max) throw new ScheduleError(`end of range (${high}) above maximum (${max}): ${text}`);
  if (low > high)
    throw new ScheduleError(`beginning of range (${low}) beyond end of range (${high}): ${text}`);
  if (by === 0) throw new ScheduleError(`step of range should be a positive number: ${text}`);
  for (let value = low; value <= high; value += by) found.add(value);
}

function parseNumber(text: string, names: readonly string[], first: number): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + first;
  if (/^-\d+$/.test(text)) throw new ScheduleError(`negative number (${text}) not allowed: ${text}`);
  if (!/^\d+$/.test(text))
    throw new ScheduleError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  return Number(text);
}
