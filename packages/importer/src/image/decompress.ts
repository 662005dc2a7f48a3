/** Decompression of a stream; what comes out is bounded by who writes it. */
import { type Duplex, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { startInteractive } from '@podvisor/sys';
import type { Compression } from './formats.ts';

/** The bytes behind a compressed stream. */
export async function decompress(
  compression: Compression,
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (compression === 'xz') return unxz(input, signal);
  const stage: Duplex = compression === 'gzip' ? createGunzip() : createZstdDecompress();
  const source = Readable.from(input, { objectMode: false });
  source.on('error', (error) => stage.destroy(error));
  return source.pipe(stage);
}

/** Node has no xz; the tool has a limit on the memory that a hostile file can make it ask for. */
async function* unxz(input: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const tool = await startInteractive('xz', ['--decompress', '--stdout', '--memlimit-decompress=256MiB'], {
    signal,
  });
  let complaint = '';
  tool.stderr.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(0, 500)));
  let broken: unknown;
  const source = Readable.from(input, { objectMode: false });
  source.on('error', (error) => {
    broken = error;
    tool.kill();
  });
  // A tool that gives up before it read all is judged by its exit code.
  tool.stdin.on('error', () => undefined);
  source.pipe(tool.stdin);
  yield* tool.stdout;
  const code = await tool.exited;
  if (broken !== undefined) throw broken;
  if (code !== 0) throw new Error(`the xz stream cannot be read: ${complaint.trim() || `exit code ${code}`}`);
}
