/**
 * Where the members of a tar archive lie. Only headers are read; nothing is unpacked, and no name of a member is
 * ever a path: members are found by comparing names. Links, devices and directories are passed over.
 */
import { ImportError } from './machine.ts';

export interface TarMember {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
}

/** Reads `length` bytes at `offset`; fewer at the end. */
export type ReadAt = (offset: number, length: number) => Buffer;

const BLOCK = 512;
const MAX_MEMBERS = 1000;
const LONG_NAME = 'L';
const PAX = 'x';

/** Throws ImportError when it is no tar archive, or a strange one. */
export function tarIndex(readAt: ReadAt, totalBytes: number): TarMember[] {
  const members: TarMember[] = [];
  let offset = 0;
  let longName: string | undefined;
  for (let count = 0; offset + BLOCK <= totalBytes; count += 1) {
    const header = readAt(offset, BLOCK);
    if (header.every((byte) => byte === 0)) break;
    if (count > MAX_MEMBERS) throw new ImportError(`the archive has more than ${MAX_MEMBERS} members`);
    checkSum(header);
    const bytes = numberAt(header, 124, 12);
    const start = offset + BLOCK;
    if (bytes > totalBytes - start)
      throw new ImportError('the archive is cut short: it was not copied whole');
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === LONG_NAME || type === PAX)
      longName = extendedName(type, readAt(start, Math.min(bytes, 64 * 1024)));
    else {
      const name = longName ?? textAt(header, 0, 100);
      if (type === '0' || type === '\0') members.push({ name, offset: start, bytes });
      longName = undefined;
    }
    offset = start + Math.ceil(bytes / BLOCK) * BLOCK;
  }
  return members;
}

function checkSum(header: Buffer): void {
  const wanted = numberAt(header, 148, 8);
  const found = header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (wanted !== found) throw new ImportError('this is no tar archive (OVA), or it is damaged');
}

function extendedName(type: string, content: Buffer): string | undefined {
  if (type === LONG_NAME) return content.toString('utf8').replace(/\0.*$/s, '');
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1];
}

function textAt(block: Buffer, offset: number, length: number): string {
  return block
    .subarray(offset, offset + length)
    .toString('utf8')
    .replace(/\0.*$/s, '');
}

/** Octal text, or 96 bits of a number where the first bit is set, as GNU writes large sizes. */
function numberAt(block: Buffer, offset: number, length: number): number {
  if (((block[offset] ?? 0) & 0x80) === 0) {
    const text = textAt(block, offset, length).trim();
    if (!/^[0-7]*$/.test(text)) throw new ImportError('this is no tar archive (OVA), or it is damaged');
    return Number.parseInt(text || '0', 8);
  }
  const value = block.readBigUInt64BE(offset + length - 8);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ImportError('a member of the archive is too large');
  return Number(value);
}
