/**
 * JSON lines in pino's shape. The launcher runs once per VM, so it does without pino itself: a megabyte
 * here is a megabyte for each machine of the node.
 */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A logger that writes to stdout, with `base` in every line. */
export function stdoutLog(base: object): Log {
  // Whoever reads the log may go away; that must not take the VM along.
  process.stdout.on('error', () => {});
  const at = (level: number) => (fields: object, msg: string) => {
    process.stdout.write(`${JSON.stringify({ level, time: Date.now(), ...base, ...plain(fields), msg })}\n`);
  };
  return { info: at(30), warn: at(40), error: at(50) };
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
