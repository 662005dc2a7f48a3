/** A tar archive into a claim of files: unpacked by tar, as the Pod's own user, below the claim. */
import { Readable } from 'node:stream';
import { startInteractive } from '@podvisor/sys';
import { peek } from './head.ts';
import { decompress } from './image/decompress.ts';
import { compressionOf } from './image/formats.ts';
import type { Progress } from './progress.ts';
import type { ByteSource } from './source/source.ts';

/** GNU tar refuses `..` and absolute names, and delays links that lead out until all files are written. */
const OPTIONS = ['--extract', '--file=-', '--no-same-owner', '--no-same-permissions'];

export async function importArchive(
  source: ByteSource,
  directory: string,
  { progress, received }: { readonly progress: Progress; received?(): void },
  signal: AbortSignal,
): Promise<void> {
  let { head, whole } = await peek(source.read(0, signal), 16);
  const compression = compressionOf(head);
  if (compression !== undefined) whole = await decompress(compression, whole, signal);
  const tar = await startInteractive('tar', [...OPTIONS, '--overwrite', '--directory', directory], {
    signal,
  });
  let complaint = '';
  tar.stderr.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(0, 1000)));
  tar.stdout.resume();
  async function* told(): AsyncIterable<Uint8Array> {
    for await (const chunk of whole) {
      progress.arrived(chunk.length, source.totalBytes);
      yield chunk;
    }
    received?.();
  }
  const input = Readable.from(told(), { objectMode: false });
  let broken: unknown;
  input.on('error', (error) => {
    broken = error;
    tar.kill();
  });
  input.pipe(tar.stdin);
  const code = await tar.exited;
  if (broken !== undefined) throw broken;
  if (code !== 0)
    throw new Error(`the archive cannot be unpacked: ${complaint.trim() || `tar ended with ${code}`}`);
}
