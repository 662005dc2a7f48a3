/**
 * JSON lines in pino's shape. The launcher runs once per VM, so it does without pino itself: a megabyte
 * here is a megabyte for each machine of the node.
 */
export interface Log {
  /** What somebody sees who raised the verbosity. */
  debug?(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** KubeVirt's; from above it on, there is more to read. */
export const DEFAULT_VERBOSITY = 2;

/** A logger that writes to stdout, with `base` in every line. */
export function stdoutLog(base: object, verbosity: number = DEFAULT_VERBOSITY): Log {
  // Whoever reads the log may go away; that must not take the VM along.
  process.stdout.on('error', () => {});
  const at = (level: number) => (fields: object, msg: string) => {
    process.stdout.write(`${JSON.stringify({ level, time: Date.now(), ...base, ...plain(fields), msg })}\n`);
  };
  const all = { info: at(30), warn: at(40), error: at(50) };
  return verbosity > DEFAULT_VERBOSITY ? { debug: at(20), ...all } : all;
}

/** Errors have no enumerable fields, so JSON would drop them. */
function plain(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]: [string, unknown]) => [
      key,
      value instanceof Error ? `${value.name}: ${value.message}` : value,
    ]),
  );
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
