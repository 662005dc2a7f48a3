/**
 * The sign of life of whoever holds the lease of a disk image: a small file beside the lease, written anew every few
 * seconds. The lease itself (who, which epoch) changes only when the disk changes hands; this changes all the time,
 * in place and on disk when the write returns, so that a reader on another node that opens it afresh sees it.
 *
 * A reader judges by its own clock alone: any change of the bytes is life, only the same bytes for the whole time are
 * none. So a torn or delayed write can make it wait longer, never shorter. What the record says of times is believed
 * only when its checksum is right.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { LeaseHolder } from './lease.ts';

export interface LeaseRenewal {
  readonly epoch: number;
  readonly holder: LeaseHolder & { readonly node: string };
  /** Others may take the disk when they have seen no renewal for so long. */
  readonly leaseMs: number;
  /** …and have not heard of the holder's node for so long. */
  readonly silenceMs: number;
  /** Rises with every renewal. */
  readonly count: number;
  /** The guest has ended, and nothing holds the disk any more. */
  readonly released?: boolean;
}

/** What a reader found. */
export interface RenewalReading {
  /** The file as it is, to be compared with an earlier reading. Empty: there is none. */
  readonly bytes: string;
  /** Undefined: none, torn, or not ours. */
  readonly renewal?: LeaseRenewal;
}

const SIZE = 1024;

/** The file of signs of life beside `image`. */
export function renewalPath(image: string): string {
  return join(dirname(image), `.${basename(image)}.renewed`);
}

/** Writes a sign of life; on the storage when it resolves. */
export async function writeRenewal(image: string, renewal: LeaseRenewal): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(renewalPath(image), flags, 0o660);
  try {
    const { bytesWritten } = await file.write(encodeRenewal(renewal), 0, SIZE, 0);
    if (bytesWritten !== SIZE) throw new Error(`only ${bytesWritten} of ${SIZE} bytes could be written`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Reads it afresh: the file is opened anew, which network file systems take as a reason to ask the server. */
export async function readRenewal(image: string): Promise<RenewalReading> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(renewalPath(image), flags);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A link, socket or the like is somebody's joke and not a sign of life.
    if (['ENOENT', 'ELOOP', 'ENXIO'].includes(code)) return { bytes: '' };
    throw error;
  }
  try {
    if (!(await file.stat()).isFile()) return { bytes: '' };
    const buffer = Buffer.alloc(SIZE);
    const { bytesRead } = await file.read(buffer, 0, SIZE, 0);
    const bytes = buffer.toString('latin1', 0, bytesRead);
    const renewal = decodeRenewal(bytes);
    return renewal === undefined ? { bytes } : { bytes, renewal };
  } finally {
    await file.close();
  }
}

/** Fixed length: a checksum, the record, blanks. */
export function encodeRenewal(renewal: LeaseRenewal): Buffer {
  const json = JSON.stringify(renewal);
  const text = `${checksum(json)} ${json}\n`;
  if (Buffer.byteLength(text) > SIZE) throw new Error('the record of a lease is too long');
  return Buffer.concat([Buffer.from(text), Buffer.alloc(SIZE - Buffer.byteLength(text), ' ')]);
}

export function decodeRenewal(bytes: string): LeaseRenewal | undefined {
  const match = /^([0-9a-f]{8}) (\{[^\n]*\})\n *$/.exec(bytes);
  const json = match === null ? '' : Buffer.from(match[2] ?? '', 'latin1').toString('utf8');
  if (match === null || checksum(json) !== match[1]) return undefined;
  try {
    const renewal = JSON.parse(json) as Partial<LeaseRenewal>;
    const { epoch, holder, leaseMs, silenceMs, count } = renewal;
    const isWhole =
      [epoch, leaseMs, silenceMs, count].every((value) => Number.isSafeInteger(value)) &&
      [holder?.uid, holder?.pod, holder?.node].every((value) => typeof value === 'string');
    return isWhole ? (renewal as LeaseRenewal) : undefined;
  } catch {
    return undefined;
  }
}

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}
