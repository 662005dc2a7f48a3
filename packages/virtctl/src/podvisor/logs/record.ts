/**
 * One line of a log, whoever wrote it: pino and our launcher (level and time as numbers), the supervisor (time as text),
 * Prometheus (`ts`), or plain words of a program that crashed. Pure.
 */

export type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface LogRecord {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly level: Level;
  /** `virt-handler-node-1`, `virt-launcher`, … */
  readonly component: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const LEVELS: Readonly<Record<string, Level>> = {
  '10': 'trace',
  '20': 'debug',
  '30': 'info',
  '40': 'warn',
  '50': 'error',
  '60': 'fatal',
};
/** What the record says in its own way. */
const OWN = new Set(['level', 'time', 'ts', 'name', 'component', 'msg', 'message', 'pid', 'hostname']);

/** `component` is whose file it is; `beforeMs` the time of the line before, for a line without one. */
export function parseLine(line: string, component: string, beforeMs: number): LogRecord {
  const parsed = objectOf(line);
  if (parsed === undefined)
    return { atMs: beforeMs, level: 'error', component, message: line.slice(0, MAX_WORDS), fields: {} };
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  // `name` is pino's name of the program; of a VM it is a field, in a line that has a namespace.
  const isOfVm = typeof parsed['namespace'] === 'string';
  const fields = Object.entries(parsed).filter(([key]) => !OWN.has(key) || (key === 'name' && isOfVm));
  return {
    atMs: timeOf(parsed['time'] ?? parsed['ts']) ?? beforeMs,
    level: levelOf(parsed['level']),
    component: text(parsed['component']) === 'virt-launcher' ? 'virt-launcher' : component,
    message: text(parsed['msg'] ?? parsed['message']),
    fields: Object.fromEntries(fields),
  };
}

/** A program's last words may be long; nobody reads more. */
const MAX_WORDS = 4_096;

function objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined; // cut off in the middle, or no log at all: shown as it is
  }
}

function levelOf(level: unknown): Level {
  const text = String(level ?? 'info');
  return LEVELS[text] ?? Object.values(LEVELS).find((one) => one === text) ?? 'info';
}

function timeOf(time: unknown): number | undefined {
  const ms = typeof time === 'number' ? time : Date.parse(typeof time === 'string' ? time : '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** The part of a container's log line that the container wrote (`TIME STREAM FLAG TEXT`, as the kubelet's runtimes do). */
export function containerText(line: string): string {
  return /^\S+ (?:stdout|stderr) [FP] (.*)$/.exec(line)?.[1] ?? line;
}
