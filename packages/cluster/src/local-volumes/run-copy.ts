/** Runs the program that copies volumes (`volume-copy`), so that the API server never waits for a disk. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProcess } from '@podvisor/sys';
import type { CopyProgress } from '@podvisor/home-contract';

export interface CopyJob {
  readonly from: string;
  /** A directory that exists and is empty. */
  readonly to: string;
  /** Only the disk image, which must be a file. */
  readonly onlyDisk?: boolean;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** What the program prints, one JSON document a line. */
export type CopyLine = CopyProgress | { readonly error: string };

/** Rejects with the program's own words when the copy fails, and when the signal ends it. */
export async function runCopy(
  { from, to, onlyDisk = false, onProgress }: CopyJob,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const started = await startProcess(
    process.execPath,
    [program(), from, to, ...(onlyDisk ? ['--only-disk'] : [])],
    { pipe: true },
  );
  const end = (): void => started.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  let failure = '';
  const { stdout, stderr } = started.child;
  stderr?.on('data', (chunk: Buffer) => (failure = `${failure}${chunk.toString()}`.slice(-2000)));
  const lines = (async () => {
    if (stdout === null) return;
    for await (const line of createInterface({ input: stdout })) {
      const message = JSON.parse(line) as CopyLine;
      if ('error' in message) failure = message.error;
      else onProgress?.(message);
    }
  })();
  const [{ code, signal: by }] = await Promise.all([started.exited, lines]);
  signal?.removeEventListener('abort', end);
  signal?.throwIfAborted();
  if (code !== 0)
    throw new Error(`the content of ${from} could not be copied: ${failure || `ended by ${by ?? code}`}`);
}

/** Beside the bundle when installed; the source itself in a checkout. */
function program(): string {
  const bundle = join(import.meta.dirname, 'volume-copy.mjs');
  return existsSync(bundle) ? bundle : join(import.meta.dirname, 'volume-copy-main.ts');
}
