/** Hears of ended containers: conmon renames a file named after the container into the exit directory. */
import { type FSWatcher, mkdirSync, watch } from 'node:fs';

/** Calls `onExit` with the container's id. Every look at the directory is repeated by resyncs, so a lost event only costs time. */
export function watchExits(directory: string, onExit: (containerId: string) => void): { close(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o750 });
  const watcher: FSWatcher = watch(directory, (event, name) => {
    // While conmon writes, the name has a suffix.
    if (event === 'rename' && name !== null && /^[0-9a-f]{64}$/.test(name)) onExit(name);
  });
  watcher.unref();
  return { close: () => watcher.close() };
}
