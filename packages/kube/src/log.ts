import type { KubernetesObject } from '@podvisor/api';

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

/** The fields by which a line is found that concerns an object (`podvisor logs --vm`). */
export function identityFields({ metadata }: KubernetesObject): {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly uid: string | undefined;
} {
  return { namespace: metadata?.namespace, name: metadata?.name, uid: metadata?.uid };
}
