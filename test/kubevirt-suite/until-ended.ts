/**
 * Waits for a suite to end. A signal to us ends the suite first: it removes what it made and writes its report, and
 * only then may the home go. One that does not end in time is killed.
 */
import type { ChildProcess } from 'node:child_process';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export async function untilEnded(suite: ChildProcess, patienceMs: number): Promise<void> {
  let patience: NodeJS.Timeout | undefined;
  const stop = (): void => {
    suite.kill('SIGINT');
    patience ??= setTimeout(() => suite.kill('SIGKILL'), patienceMs);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    await new Promise<void>((done) => suite.once('close', () => done()));
  } finally {
    clearTimeout(patience);
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
