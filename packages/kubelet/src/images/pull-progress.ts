/** How far a pull is: what has arrived on disk, beside what the registry says that the layers weigh. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { entriesBelow } from '@podvisor/sys';

/** First told after this long, then ever more seldom: an event is a write. */
const FIRST_MS = 3000;
const SLOWEST_MS = 30_000;

export interface PullFacts {
  readonly bytes: number;
  readonly totalBytes: number | undefined;
  readonly elapsedMs: number;
}

/** `12.0 MiB of 80.0 MiB (15 %), 4.0 MiB/s, 17 s left`. Pure. */
export function pullText({ bytes, totalBytes, elapsedMs }: PullFacts): string {
  const rate = elapsedMs === 0 ? 0 : bytes / (elapsedMs / 1000);
  const speed = `${mebibytes(rate)}/s`;
  if (totalBytes === undefined || totalBytes === 0) return `${mebibytes(bytes)}, ${speed}`;
  const done = Math.min(bytes, totalBytes);
  const percent = Math.floor((done / totalBytes) * 100);
  const left = rate === 0 ? '' : `, ${Math.ceil((totalBytes - done) / rate)} s left`;
  return `${mebibytes(done)} of ${mebibytes(totalBytes)} (${percent} %), ${speed}${left}`;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Calls `tell` from time to time until stopped. */
export function watchPull(
  directory: string,
  totalBytes: () => number | undefined,
  tell: (text: string) => void,
): () => void {
  const startedAt = performance.now();
  let delay = FIRST_MS;
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    timer = setTimeout(() => {
      const elapsedMs = performance.now() - startedAt;
      tell(pullText({ bytes: sizeOf(directory), totalBytes: totalBytes(), elapsedMs }));
      delay = Math.min(delay * 2, SLOWEST_MS);
      arm();
    }, delay);
  };
  arm();
  return () => clearTimeout(timer);
}

/** Bytes of all files below, as far as they can be seen: files come and go while a tool works there. */
function sizeOf(directory: string): number {
  let bytes = 0;
  for (const entry of entriesBelow(directory))
    if (entry.isFile())
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
