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

/** The fields by which a line is found that concerns an object (`podvisor logs --vm`). */
export function identityFields({ metadata }: KubernetesObject): {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly uid: string | undefined;
} {
  return { namespace: metadata?.namespace, name: metadata?.name, uid: metadata?.uid };
}
