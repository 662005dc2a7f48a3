/**
 * A process of the home that ends again and again with the same words will not get well by waiting: `up` says
 * what it says instead. Processes log JSON lines; the last one of a process that cannot go on is fatal.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Of pino's levels. */
const FATAL = 60;
/** A start may fail once or twice for want of something that comes a moment later. */
const TIMES = 3;
const LOOK_MS = 1_000;

interface LogLine {
  readonly level?: number;
  /** Epoch milliseconds. */
  readonly time?: number;
  readonly err?: { readonly message?: string };
}

/** What was said at least three times after `since`, or undefined. Pure. */
export function repeatedFailure(log: string, since: number): string | undefined {
  const counts = new Map<string, number>();
  for (const line of log.split('\n')) {
    if (!line.includes(`"level":${FATAL}`)) continue;
    const { level, time = 0, err } = parsed(line);
    if (level !== FATAL || time < since || err?.message === undefined) continue;
    const count = (counts.get(err.message) ?? 0) + 1;
    if (count >= TIMES) return err.message;
    counts.set(err.message, count);
  }
  return undefined;
}

function parsed(line: string): LogLine {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // a line that is being written
  }
}

/** Rejects when a process of the home fails repeatedly; resolves, without a word, when the signal ends it. */
export async function failRepeatedly(logs: string, since: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const file of existsSync(logs) ? readdirSync(logs).filter((name) => name.endsWith('.log')) : []) {
      const failure = repeatedFailure(readFileSync(join(logs, file), 'utf8'), since);
      if (failure !== undefined) throw new Error(`${file.replace(/\.log$/, '')} cannot start: ${failure}`);
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
