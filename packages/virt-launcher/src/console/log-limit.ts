/**
 * Keeps the log of the serial port from filling the node. QEMU appends to it for as long as the guest talks, so the
 * file may be emptied under its hands; virt-tail has copied it to the container's log, which the kubelet limits. By
 * looking now and then: an inotify instance in each launcher is more than a node has (start-up/wait-for-file.ts), and a
 * serial port writes some MiB in the meantime.
 */
import { statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 8 * 1024 * 1024;
const LOOK_MS = 5_000;

export interface LogLimit {
  readonly maxBytes: number;
  readonly lookMs: number;
}

/** Empties `path` whenever it has grown beyond the limit; ends with the signal. The file may come later. */
export function limitConsoleLog(
  path: string,
  signal: AbortSignal,
  { maxBytes, lookMs }: LogLimit = { maxBytes: MAX_BYTES, lookMs: LOOK_MS },
): void {
  const look = (): void => {
    try {
      if (statSync(path).size > maxBytes) truncateSync(path, 0);
    } catch {
      // Not there yet, or gone: QEMU has ended.
    }
  };
  const timer = setInterval(look, lookMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
