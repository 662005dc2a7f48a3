import type { KubernetesObject } from '@podvisor/api';
import { messageOf } from '@podvisor/base';

/** The part of a pino logger that this package calls: fields first, then a constant sentence. */
export interface Log {
  /** What somebody sees who raised the verbosity. */
  debug?(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

function write(level: number): (fields: object, message: string) => void {
  return (fields, msg) => {
    process.stderr.write(`${JSON.stringify({ level, time: Date.now(), ...fields, msg })}\n`);
  };
}

/** JSON lines on stderr: what is used when nobody passes a logger, so that no failure is silent. */
export const stderrLog: Log = { info: write(30), warn: write(40), error: write(50) };

/** As long as the parts of an installation that start together may take to find each other. */
const STARTING_MS = 60_000;

/**
 * How to tell of an API server that does not answer, or does not know us yet: for a process that has just begun it is
 * no trouble, so that a healthy start writes no warning. `uptimeMs`: how long this process has run.
 */
export function troubleLevel(uptimeMs: number = performance.now()): 'info' | 'warn' {
  return uptimeMs < STARTING_MS ? 'info' : 'warn';
}

/** As long as an API server that starts beside us may take to open its port. */
const OPENING_MS = 20_000;

/**
 * Tells that something could not be asked of the API server and is tried again. That nobody listens yet is news to
 * nobody while everything starts: the level is `debug` then.
 */
export function tellTrouble(
  log: Log,
  error: unknown,
  { fields, message }: { readonly fields: object; readonly message: string },
  uptimeMs: number = performance.now(),
): void {
  const told = { ...fields, error: messageOf(error) };
  if (uptimeMs < OPENING_MS && isRefused(error)) log.debug?.(told, message);
  else log[troubleLevel(uptimeMs)](told, message);
}

/** Whether nobody listens where we dialled; the client may have put words of its own before it. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'ECONNREFUSED') || isRefused(error.cause);
}

/** The fields by which a line is found that concerns an object (`podvisor logs --vm`). */
export function identityFields({ metadata }: KubernetesObject): {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly uid: string | undefined;
} {
  return { namespace: metadata?.namespace, name: metadata?.name, uid: metadata?.uid };
}
