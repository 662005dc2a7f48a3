/** A tar archive into a claim of files: unpacked by tar, as the Pod's own user, below the claim. */
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { entriesBelow, startInteractive } from '@podvisor/sys';
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
  refuseStrangers(directory);
}

/** Files, directories and links that stay inside; anything else is taken away again, and the import fails. */
function refuseStrangers(directory: string): void {
  for (const entry of entriesBelow(directory)) {
    const path = join(entry.parentPath, entry.name);
    const fault = entry.isSymbolicLink()
      ? leadsOut(directory, path)
      : entry.isFile() || entry.isDirectory()
        ? undefined
        : 'is a device, a pipe or a socket';
    if (fault === undefined) continue;
    for (const name of readdirSync(directory))
      rmSync(join(directory, name), { recursive: true, force: true });
    throw new Error(`the archive is refused: ${relative(directory, path)} ${fault}`);
  }
}

function leadsOut(directory: string, link: string): string | undefined {
  const target = readlinkSync(link);
  const inside = relative(directory, resolve(dirname(link), target));
  const isOut = isAbsolute(target) || inside === '..' || inside.startsWith('../');
  return isOut ? `is a link that leads out of the claim, to ${target}` : undefined;
}
