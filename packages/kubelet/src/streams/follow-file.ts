/** Reads a growing file in lines, woken by inotify; ends when told that nothing more will come. */
import { closeSync, fstatSync, openSync, readSync, watch } from 'node:fs';

export interface FollowOptions {
  readonly path: string;
  /** Byte to begin with, given the open file. */
  start(fd: number): number;
  readonly follow: boolean;
  /** Directory whose changes may mean that the writer ended. */
  readonly exitDirectory: string;
  ended(): boolean;
}

const CHUNK = 64 * 1024;
const MAX_LINE = 1024 * 1024;

export async function* followLines(options: FollowOptions, signal: AbortSignal): AsyncGenerator<Buffer> {
  const fd = openSync(options.path, 'r');
  let wake: (() => void) | undefined;
  let woken = false;
  const ring = (): void => {
    woken = true;
    wake?.();
  };
  const watchers = options.follow ? [watch(options.path, ring), watch(options.exitDirectory, ring)] : [];
  signal.addEventListener('abort', ring);
  try {
    let position = options.start(fd);
    let rest = Buffer.alloc(0);
    const buffer = Buffer.alloc(CHUNK);
    while (!signal.aborted) {
      woken = false;
      // The end must be looked for before the last read, or the lines in between would be lost.
      const last = !options.follow || options.ended();
      if (fstatSync(fd).size < position) position = 0;
      const count = readSync(fd, buffer, 0, CHUNK, position);
      position += count;
      rest = Buffer.concat([rest, buffer.subarray(0, count)]);
      for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
        yield Buffer.from(rest.subarray(0, end));
        rest = rest.subarray(end + 1);
      }
      if (rest.length > MAX_LINE) rest = Buffer.alloc(0);
      if (count > 0) continue;
      if (last) return;
      if (woken) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal.removeEventListener('abort', ring);
    for (const watcher of watchers) watcher.close();
    closeSync(fd);
  }
}
