/** A process that runs until it is told to end, and says why when it cannot go on. */
import type { Logger } from 'pino';

/** A clean end takes less; a hanging one must not keep the supervisor waiting. */
const CLOSE_TIMEOUT_MS = 10_000;

export async function runUntilEnded(
  log: Logger,
  starting: Promise<{ close(): Promise<void> }>,
): Promise<void> {
  const end = (signal: string): void => {
    log.info({ signal }, 'ending; Pods go on');
    setTimeout(() => process.exit(0), CLOSE_TIMEOUT_MS).unref();
    starting.then((running) => running.close()).then(() => process.exit(0), fatalTo(log));
  };
  process.once('SIGTERM', () => end('SIGTERM'));
  process.once('SIGINT', () => end('SIGINT'));
  await starting;
}

/** Ends the process with one clear line. */
export function fatalTo(log: Logger): (error: unknown) => void {
  return (error) => {
    log.fatal({ err: error }, 'the process cannot go on');
    process.exit(1);
  };
}
