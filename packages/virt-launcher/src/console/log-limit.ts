/**
 * Keeps the log of the serial port from filling the node. QEMU appends to it for as long as the guest talks, so the
 * file may be emptied under its hands; virt-tail has copied it to the container's log, which the kubelet limits.
 */
import { statSync, truncateSync, watch } from 'node:fs';

const MAX_BYTES = 8 * 1024 * 1024;

/** Empties `path` whenever it has grown beyond the limit; ends with the signal. The file may come later. */
export function limitConsoleLog(
  directory: string,
  name: string,
  signal: AbortSignal,
  maxBytes = MAX_BYTES,
): void {
  const path = `${directory}/${name}`;
  const watcher = watch(directory, (_event, changed) => {
    if (changed !== name) return;
    try {
      if (statSync(path).size > maxBytes) truncateSync(path, 0);
    } catch {
      // It is gone: QEMU has ended.
    }
  });
  watcher.on('error', () => watcher.close()); // the directory ends with the Pod
  signal.addEventListener('abort', () => watcher.close(), { once: true });
}
