/** The disks of a backup that a client pulls: their bytes, and a map of which ranges matter. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { NbdReader } from './nbd/client.ts';

export interface ServedBackup {
  /** Name of the volume. */
  readonly name: string;
  /** Unix socket of QEMU's NBD server. */
  readonly socket: string;
  /** Bitmap of the blocks that changed; absent: the map tells where data is. */
  readonly bitmap?: string;
}

const DEFAULT_PAGE = 10_000;
const MAX_PAGE = 100_000;
/** Flags of `base:allocation`, and of a dirty bitmap. */
const ALLOCATION = ['data', 'hole', 'zero', 'hole,zero'];
const DIRTY = ['clean', 'dirty'];

/** `endpoint`: data or map. Answers false when there is no such endpoint. */
export async function serveBackup(
  backup: ServedBackup,
  endpoint: string,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (endpoint !== 'data' && endpoint !== 'map') return false;
  const numbers = ['offset', 'length', 'page_size'].map((name) => natural(url.searchParams.get(name)));
  if (numbers.some(Number.isNaN)) {
    response
      .writeHead(400, { 'content-type': 'text/plain' })
      .end('offset, length and page_size are numbers\n');
    return true;
  }
  const context = backup.bitmap === undefined ? 'base:allocation' : `qemu:dirty-bitmap:${backup.bitmap}`;
  using disk = await NbdReader.open(backup.socket, backup.name, context);
  const [from = 0, asked = 0, page = 0] = numbers.map((value) => value ?? 0);
  const offset = Math.min(from, disk.sizeBytes);
  const rest = disk.sizeBytes - offset;
  const length = asked === 0 ? rest : Math.min(asked, rest);
  if (endpoint === 'map') {
    const limit = Math.min(page === 0 ? DEFAULT_PAGE : page, MAX_PAGE);
    const body = JSON.stringify(await mapOf(disk, backup, offset, length, limit));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return true;
  }
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': length });
  if (request.method === 'HEAD') response.end();
  else await pipeline(Readable.from(disk.read(offset, length), { objectMode: false }), response);
  return true;
}

async function mapOf(
  disk: NbdReader,
  { bitmap }: ServedBackup,
  offset: number,
  length: number,
  limit: number,
): Promise<object> {
  const words = bitmap === undefined ? ALLOCATION : DIRTY;
  const extents: object[] = [];
  for await (const { flags, ...range } of disk.extents(offset, length)) {
    if (extents.length >= limit) return { extents, next_offset: range.offset };
    extents.push({ ...range, type: flags, description: words[flags] ?? `type ${flags}` });
  }
  return { extents, next_offset: null };
}

/** A whole number that is not negative; undefined when there is none, NaN when it is something else. */
function natural(value: string | null): number | undefined {
  if (value === null || value === '') return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : Number.NaN;
}
