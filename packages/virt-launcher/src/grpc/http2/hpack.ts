/**
 * Headers of HTTP/2 (HPACK, RFC 7541): all that a client may send is read; what we send is written in the plainest
 * form, which every client reads and which needs no memory of what was sent before.
 */
import { huffmanDecoded } from './huffman.ts';

export type Header = readonly [name: string, value: string];

/** Appendix A, from index 1. Names alone have an empty value. */
const STATIC: readonly Header[] = [
  [':authority', ''],
  ...methods(':method', 'GET', 'POST'),
  ...methods(':path', '/', '/index.html'),
  ...methods(':scheme', 'http', 'https'),
  ...methods(':status', '200', '204', '206', '304', '400', '404', '500'),
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ...(
    'accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control ' +
    'content-disposition content-encoding content-language content-length content-location content-range ' +
    'content-type cookie date etag expect expires from host if-match if-modified-since if-none-match if-range ' +
    'if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization range ' +
    'referer refresh retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary ' +
    'via www-authenticate'
  )
    .split(' ')
    .map((name): Header => [name, '']),
];

function methods(name: string, ...values: readonly string[]): readonly Header[] {
  return values.map((value) => [name, value]);
}

/** The size of the table that both sides begin with, and that we never change. */
const MAX_TABLE_BYTES = 4096;
/** What each entry counts beyond its text, as the RFC says. */
const ENTRY_BYTES = 32;

/** Reads the header blocks of one connection, in the order in which they came. */
export class HeaderReader {
  /** The newest first. */
  readonly #table: Header[] = [];
  #tableBytes = 0;
  #limitBytes = MAX_TABLE_BYTES;

  /** Throws for a block that is not understood: the connection is of no use then. */
  read(block: Buffer): readonly Header[] {
    const cursor = { block, at: 0 };
    const headers: Header[] = [];
    while (cursor.at < block.length) {
      const first = block[cursor.at] ?? 0;
      if (first >= 0x80) headers.push(this.#entry(integer(cursor, 7)));
      else if (first >= 0x40) headers.push(this.#remember(this.#literal(cursor, 6)));
      else if (first >= 0x20) this.#resize(integer(cursor, 5));
      else headers.push(this.#literal(cursor, 4));
    }
    return headers;
  }

  #literal(cursor: Cursor, prefix: number): Header {
    const index = integer(cursor, prefix);
    const name = index === 0 ? text(cursor) : this.#entry(index)[0];
    return [name, text(cursor)];
  }

  #entry(index: number): Header {
    const found = index <= STATIC.length ? STATIC[index - 1] : this.#table[index - STATIC.length - 1];
    if (found === undefined) throw new Error(`there is no header number ${index}`);
    return found;
  }

  #remember(header: Header): Header {
    this.#table.unshift(header);
    this.#tableBytes += sizeOf(header);
    this.#evict();
    return header;
  }

  #resize(bytes: number): void {
    if (bytes > MAX_TABLE_BYTES) throw new Error(`a header table of ${bytes} bytes was not offered`);
    this.#limitBytes = bytes;
    this.#evict();
  }

  #evict(): void {
    while (this.#tableBytes > this.#limitBytes) {
      const oldest = this.#table.pop();
      if (oldest === undefined) return;
      this.#tableBytes -= sizeOf(oldest);
    }
  }
}

function sizeOf([name, value]: Header): number {
  return name.length + value.length + ENTRY_BYTES;
}

interface Cursor {
  readonly block: Buffer;
  at: number;
}

function nextByte(cursor: Cursor): number {
  const byte = cursor.block[cursor.at];
  if (byte === undefined) throw new Error('a header block that ends too early');
  cursor.at += 1;
  return byte;
}

/** Section 5.1: as many bits of the first byte as `prefix`, then seven bits a byte. */
function integer(cursor: Cursor, prefix: number): number {
  const most = 2 ** prefix - 1;
  let value = nextByte(cursor) & most;
  if (value < most) return value;
  for (let shift = 0; shift <= 21; shift += 7) {
    const byte = nextByte(cursor);
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
  throw new Error('a number in a header block that is too large');
}

function text(cursor: Cursor): string {
  const isHuffman = (cursor.block[cursor.at] ?? 0) >= 0x80;
  const length = integer(cursor, 7);
  const bytes = cursor.block.subarray(cursor.at, cursor.at + length);
  if (bytes.length < length) throw new Error('a header block that ends too early');
  cursor.at += length;
  return isHuffman ? huffmanDecoded(bytes) : bytes.toString('latin1');
}

/** A block of headers as literals without a place in anybody's table. Names are lower case, values are ASCII. */
export function headerBlock(headers: readonly Header[]): Buffer {
  const parts = headers.flatMap(([name, value]) => [
    Buffer.from([0]),
    ...[name, value].flatMap((word) => [lengthPrefix(word.length), Buffer.from(word, 'latin1')]),
  ]);
  return Buffer.concat(parts);
}

function lengthPrefix(length: number): Buffer {
  if (length < 0x7f) return Buffer.from([length]);
  const bytes = [0x7f];
  let rest = length - 0x7f;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
