/**
 * One import: bytes of a source become a disk in a claim. The disk appears under its name only when it is
 * complete and on disk. Whatever is refused is refused before any other program opens it.
 */
import type { Hash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportJob } from '@podvisor/api';
import { inspectImage } from '@podvisor/storage';
import { run } from '@podvisor/sys';
import { checkHash, hashFile, hashFor } from './checksum.ts';
import { peek } from './head.ts';
import { convert, type OpenedImage, virtualSize } from './image/convert.ts';
import { decompress } from './image/decompress.ts';
import { compressionOf, formatOf, HEAD_BYTES, type ImageFormat } from './image/formats.ts';
import { checkFits, packedLimit, tooLarge } from './limits.ts';
import type { Progress } from './progress.ts';
import { ClusterFiles } from './qcow2/cluster-files.ts';
import { wholeClusters } from './qcow2/clusters.ts';
import { completeDisk } from './qcow2/complete.ts';
import { layoutOf, type Qcow2Layout } from './qcow2/layout.ts';
import { type ByteSource, SourceChangedError } from './source/source.ts';
import { SparseWriter } from './write/sparse-file.ts';
import { dropNote, keepNote, openSpool, readNote, type SpoolNote } from './write/spool.ts';

export interface ImportOptions {
  readonly job: Pick<ImportJob, 'volumeMode' | 'capacityBytes' | 'checksum' | 'preallocation'>;
  /** Directory of the claim, or of a room for files when the claim is a device. */
  readonly directory: string;
  /** Where what came lies until it is converted; in the directory unless told. */
  readonly scratch?: string;
  /** The claim, when it is a device. */
  readonly device: string;
  readonly progress: Progress;
  /** What the source is called in the note of an interrupted import. */
  readonly name?: string;
  /** After how many bytes it is noted how far the import is; 64 MiB unless told. */
  readonly noteEveryBytes?: number;
  /** Called when the last byte of the source is here. */
  received?(): void;
}

const NOTE_EVERY_BYTES = 64 * 1024 * 1024;
/** How deep compressed files may be packed into each other. */
const MAX_LAYERS = 2;

const disk = ({ directory }: ImportOptions): string => join(directory, 'disk.img');
const partial = (options: ImportOptions): string => `${disk(options)}.importing`;
const spool = ({ directory, scratch = directory }: ImportOptions): string => join(scratch, '.import.spool');
/** What of a qcow2 file could not go to its place at once. */
const kept = ({ directory, scratch = directory }: ImportOptions): string => join(scratch, '.import.kept');
const note = ({ directory }: ImportOptions): string => join(directory, '.import.json');

/** Fills the claim from a stream. Begins again, once, when the source turns out to be another one. */
export async function importStream(
  source: ByteSource,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    await receive(source, options, signal);
  } catch (error) {
    if (!(error instanceof SourceChangedError)) throw error;
    await clean(options);
    throw error;
  }
}

/** Fills the claim from an image file that is here already. */
export async function importFile(path: string, options: ImportOptions, signal: AbortSignal): Promise<void> {
  const { format } = inspectImage(path);
  await finishFrom({ path, format }, options, signal);
}

async function receive(source: ByteSource, options: ImportOptions, signal: AbortSignal): Promise<void> {
  const { job, progress } = options;
  const known = resumable(source, options);
  const hash = hashFor(job.checksum);
  if (known === undefined) await clean(options);
  else progress.resumeAt(known.bytes);
  const bytes = counted(source.read(known?.bytes ?? 0, signal), source, progress, hash);
  if (known !== undefined) {
    const head = await headOf(known.file);
    const arrival = { source, options, format: formatOf(head), hash, offset: known.bytes };
    const layout = known.file === kept(options) ? layoutOf(head) : undefined;
    if (layout !== undefined) return takeApart(bytes, layout, arrival, signal);
    if (hash !== undefined) await hashFile(known.file, known.bytes, hash, signal);
    return keep(bytes, arrival, signal);
  }
  let { head, whole } = await peek(bytes, HEAD_BYTES);
  let compressed = false;
  for (let layer = 0; ; layer += 1) {
    const compression = compressionOf(head);
    if (compression === undefined) break;
    if (layer === MAX_LAYERS) throw new Error('the image is compressed more than twice');
    compressed = true;
    ({ head, whole } = await peek(await decompress(compression, whole, signal), HEAD_BYTES));
  }
  if (head.length === 0) throw new Error('the image is empty');
  const arrival = { source: compressed ? undefined : source, options, format: formatOf(head), hash };
  const layout = arrival.format === 'qcow2' ? layoutOf(head) : undefined;
  if (layout === undefined || !(await isEmptied(options, layout.virtualSizeBytes, signal)))
    return keep(whole, arrival, signal);
  return takeApart(whole, layout, arrival, signal);
}

interface Arrival {
  /** Set when the bytes are kept as they come, so that the import can go on later. */
  readonly source: ByteSource | undefined;
  readonly options: ImportOptions;
  readonly format: ImageFormat;
  readonly hash: Hash | undefined;
  readonly offset?: number;
}

/**
 * Whether zeros need not be written: a new file has none to lose; a device is told to forget what it holds, which not
 * every device can.
 */
async function isEmptied(
  { job, device }: ImportOptions,
  bytes: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (job.volumeMode === 'Filesystem') return true;
  if (bytes > job.capacityBytes) return false; // refused in a moment
  const args = ['--punch-hole', '--offset', '0', '--length', String(bytes), device];
  const { code } = await run('fallocate', args, { timeoutMs: 600_000, signal, okCodes: [0, 1] });
  return code === 0;
}

/** A qcow2 image becomes the disk while it comes: no second copy, and nothing to convert afterwards. */
async function takeApart(
  bytes: AsyncIterable<Uint8Array>,
  layout: Qcow2Layout,
  { source, options, hash, offset = 0 }: Arrival,
  signal: AbortSignal,
): Promise<void> {
  const { job, progress, name, noteEveryBytes = NOTE_EVERY_BYTES } = options;
  checkFits(layout.virtualSizeBytes, job.capacityBytes);
  const limitBytes = packedLimit(job.capacityBytes);
  const isDevice = job.volumeMode === 'Block';
  await using disk = isDevice ? await open(options.device, 'r+') : await openSpool(partial(options));
  await using beside = await openSpool(kept(options));
  const files = new ClusterFiles(layout, { disk, kept: beside });
  await files.recall(offset, hash === undefined ? undefined : (seen) => hash.update(seen));
  const mayResume = source?.version !== undefined && name !== undefined;
  let notedAt = offset;
  let noting: Promise<unknown> | undefined;
  try {
    for await (const chunk of wholeClusters(bytes, layout.clusterBytes)) {
      if (files.length + chunk.length > limitBytes) throw tooLarge(files.length, job.capacityBytes);
      await files.write(chunk);
      const isDue = files.length - notedAt >= noteEveryBytes && files.length % layout.clusterBytes === 0;
      if (!mayResume || !isDue || noting !== undefined) continue;
      await files.flush();
      notedAt = files.length;
      const noted = { url: name, version: source.version, file: kept(options), bytes: notedAt };
      // Beside the stream, as below.
      noting = files
        .sync()
        .then(() => keepNote(note(options), noted, beside))
        .catch(() => undefined)
        .finally(() => (noting = undefined));
    }
  } finally {
    await noting;
  }
  await files.flush();
  checkHash(job.checksum, hash);
  options.received?.();
  if (!isDevice) await disk.truncate(layout.virtualSizeBytes);
  progress.converts = true;
  await completeDisk(files, (percent) => progress.converted(percent), signal);
  await putInPlace(options, signal);
}

async function keep(
  bytes: AsyncIterable<Uint8Array>,
  { source, options, format, hash, offset = 0 }: Arrival,
  signal: AbortSignal,
): Promise<void> {
  const { job, device, progress, name, noteEveryBytes = NOTE_EVERY_BYTES } = options;
  const isRaw = format === 'raw';
  const isDevice = job.volumeMode === 'Block';
  progress.converts = !isRaw;
  const path = !isRaw ? spool(options) : isDevice ? device : partial(options);
  const handle = isRaw && isDevice ? await open(path, 'r+') : await openSpool(path);
  let noting: Promise<unknown> | undefined;
  try {
    const writer = new SparseWriter(handle, {
      offset,
      limitBytes: isRaw ? job.capacityBytes : packedLimit(job.capacityBytes),
      writeZeros: isRaw && isDevice,
    });
    const noted = { url: name ?? '', version: source?.version ?? '', file: path };
    const mayResume = source?.version !== undefined && name !== undefined && !(isRaw && isDevice);
    let notedAt = offset;
    for await (const chunk of bytes) {
      await writer.write(chunk);
      if (!mayResume || noting !== undefined || writer.position - notedAt < noteEveryBytes) continue;
      notedAt = writer.position;
      // Beside the stream: bytes need not wait for the disk. Without a note an import begins again, no more.
      noting = keepNote(note(options), { ...noted, bytes: notedAt }, handle)
        .catch(() => undefined)
        .finally(() => (noting = undefined));
    }
    await writer.flush();
    checkHash(job.checksum, hash);
    options.received?.();
    if (isRaw && !isDevice) await handle.truncate(Math.max(writer.position, 1));
    if (isRaw) await handle.sync();
  } finally {
    // A note that comes late would vouch for a file that is not the one any more.
    await noting;
    await handle.close();
  }
  if (isRaw) await putInPlace(options, signal);
  else await finishFrom({ path, format }, options, signal);
}

async function finishFrom(image: OpenedImage, options: ImportOptions, signal: AbortSignal): Promise<void> {
  const { job, progress, device } = options;
  progress.converts = true;
  const isDevice = job.volumeMode === 'Block';
  // Our own reading of the header is enough where we have one: a tool less that opens the image.
  const size =
    image.format === 'qcow2' || image.format === 'raw'
      ? inspectImage(image.path).virtualSizeBytes
      : await virtualSize(image, signal);
  checkFits(size, job.capacityBytes);
  const target = isDevice ? device : partial(options);
  if (!isDevice) await rm(target, { force: true });
  const onPercent = (percent: number): void => progress.converted(percent);
  await convert(image, { target, isDevice, sizeBytes: job.capacityBytes, onPercent }, signal);
  await putInPlace(options, signal);
}

/** Full size, on disk, under its name; then what is not needed any more goes. */
async function putInPlace(options: ImportOptions, signal: AbortSignal): Promise<void> {
  const { job, directory, device } = options;
  const path = job.volumeMode === 'Block' ? device : partial(options);
  if (job.volumeMode === 'Filesystem') {
    if (statSync(path).size < job.capacityBytes) await truncate(path, job.capacityBytes);
    if (job.preallocation === true)
      await run('fallocate', ['--length', String(job.capacityBytes), path], { timeoutMs: 3_600_000, signal });
  }
  await sync(path, 'r+');
  if (job.volumeMode === 'Filesystem') {
    await rename(path, disk(options));
    await sync(directory, 'r');
  }
  await clean(options);
}

async function sync(path: string, flags: string): Promise<void> {
  const handle: FileHandle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function leftovers(options: ImportOptions): readonly string[] {
  return [spool(options), kept(options), partial(options)];
}

async function clean(options: ImportOptions): Promise<void> {
  await dropNote(note(options));
  for (const path of leftovers(options)) await rm(path, { force: true });
}

/** How many bytes an earlier run left of the content that is named so. */
export function keptBytes(version: string, options: ImportOptions): number {
  return resumable({ version, totalBytes: undefined }, options)?.bytes ?? 0;
}

/** What an earlier run left, if it is the beginning of the same content. */
function resumable(
  { version, totalBytes }: Pick<ByteSource, 'version' | 'totalBytes'>,
  options: ImportOptions,
): SpoolNote | undefined {
  const known = readNote(note(options));
  if (known === undefined || version === undefined || known.version !== version) return undefined;
  if (known.url !== options.name || !leftovers(options).includes(known.file)) return undefined;
  const fits = existsSync(known.file) && (totalBytes === undefined || known.bytes <= totalBytes);
  return fits ? known : undefined;
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  { totalBytes }: ByteSource,
  progress: Progress,
  hash: Hash | undefined,
): AsyncIterable<Uint8Array> {
  for await (const chunk of bytes) {
    hash?.update(chunk);
    progress.arrived(chunk.length, totalBytes);
    yield chunk;
  }
}

async function headOf(path: string): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
