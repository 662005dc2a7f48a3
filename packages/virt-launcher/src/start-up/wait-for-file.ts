/** Waits until a path exists, told by the kernel (inotify) and not by asking again and again. */
import { existsSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Resolves when `path` exists. Its directory must exist already. Rejects with the signal's reason. */
export function waitForFile(path: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const watcher = watch(dirname(path), { persistent: true });
    const done = (settle: () => void): void => {
      watcher.close();
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => done(() => reject(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    watcher.on('error', (error) => done(() => reject(error)));
    watcher.on('change', (_kind, name) => {
      if (String(name) === basename(path) && existsSync(path)) done(resolve);
    });
    // It may have come between the caller's look and our watch.
    if (existsSync(path)) done(resolve);
  });
}
