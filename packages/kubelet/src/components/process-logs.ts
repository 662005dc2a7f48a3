/** The log of a component's process as `kubectl logs` asks for it: JSON lines with the time in each. */
import { existsSync } from 'node:fs';
import type { Clock } from '@podvisor/base';
import type { LogOptions } from '@podvisor/home-contract';
import { followLines } from '../streams/follow-file.ts';
import { formatLogLine } from '../streams/log-lines.ts';
import { sinceMs } from '../streams/logs.ts';
import { tailOffset } from '../streams/tail-offset.ts';

export interface ProcessLog {
  readonly path: string;
  /** Directory whose changes may mean that the process ended. */
  readonly runDirectory: string;
  /** Begin of the present run; the log is one file for all of them. Absent: it does not run. */
  readonly startedAtMs: number | undefined;
  readonly clock: Clock;
}

/** Lines of the present run, or of those before it. */
export async function* processLogs(
  { path, runDirectory, startedAtMs, clock }: ProcessLog,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (!existsSync(path)) return;
  const { previous, tailLines, timestamps } = options;
  const from = Math.max(
    sinceMs(options, clock.now()) ?? 0,
    previous ? 0 : (startedAtMs ?? Number.POSITIVE_INFINITY) - STARTING_MS,
  );
  const until = previous ? (startedAtMs ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const lines = followLines(
    {
      path,
      start: (fd) => (tailLines === undefined || previous ? 0 : tailOffset(fd, tailLines)),
      follow: options.follow && !previous,
      exitDirectory: runDirectory,
      ended: () => false,
    },
    signal,
  );
  const shown = select(lines, from, until, timestamps);
  let left = options.limitBytes ?? Number.POSITIVE_INFINITY;
  for await (const bytes of previous ? lastOf(shown, tailLines) : shown) {
    yield bytes.subarray(0, left);
    left -= bytes.length;
    if (left <= 0) return;
  }
}

/** The lines of a time. One without a time has that of the line before it. */
async function* select(
  lines: AsyncIterable<Buffer>,
  from: number,
  until: number,
  timestamps: boolean,
): AsyncGenerator<Buffer> {
  let time = 0;
  for await (const text of lines) {
    time = timeOfLine(text) ?? time;
    if (time < from || time >= until) continue;
    const line = { time: new Date(time).toISOString(), stream: 'stdout', complete: true, text };
    yield formatLogLine(line, timestamps, false);
  }
}

/** The end of the runs before is in the middle of the file. */
async function* lastOf(lines: AsyncIterable<Buffer>, count: number | undefined): AsyncGenerator<Buffer> {
  const kept: Buffer[] = [];
  for await (const line of lines) {
    if (count === undefined) yield line;
    else if (kept.push(line) > count) kept.shift();
  }
  yield* kept;
}

/** A process may write before its supervisor has noted that it started. */
const STARTING_MS = 1_000;

/** The time of a line that pino wrote; undefined for anything else, such as the stack of an error. */
export function timeOfLine(line: Buffer): number | undefined {
  const [, number] = /^\{"level":\d+,"time":(\d{13})\b/.exec(line.toString('latin1', 0, 64)) ?? [];
  return number === undefined ? undefined : Number(number);
}
