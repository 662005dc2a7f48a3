/**
 * The file that a hibernated guest is kept in: what is needed to start its QEMU, then its memory and devices as QEMU
 * writes them, compressed. Every frame is encrypted and authenticated with a key that is never on the claim, and its
 * number and kind are part of that: a frame that was changed, left out, moved or cut off is found before the guest
 * may run. Memory is full of secrets, and the claim is in its tenant's reach.
 *
 * Magic, salt, then frames: kind (1 byte), length (4 bytes), ciphertext, tag (16 bytes). The last one is `end`.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';

const MAGIC = Buffer.from('PVSTATE1');
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const HEAD_BYTES = 5;
/** Of a frame; meta data is the largest. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Not all of a large guest is left to the last sync: whoever watches sees by the chunks whether the storage takes them. */
const SYNC_BYTES = 256 * 1024 * 1024;
const KIND = { meta: 1, memory: 2, end: 3 } as const;
type Kind = keyof typeof KIND;

/** The file is not what was written, or was written with another key. */
export class StateDamaged extends Error {
  override readonly name = 'StateDamaged';
}

/** `key`: undefined where there is none; the file is then only protected against accidents. */
export type StateKey = Buffer | undefined;

/** Writes the file and syncs it to disk, unless that is left to the caller; answers its size. */
export async function writeState(
  path: string,
  key: StateKey,
  meta: unknown,
  memory: AsyncIterable<Buffer>,
  { isSynced = true }: { readonly isSynced?: boolean } = {},
): Promise<number> {
  await using file = await open(path, 'w', 0o600);
  const salt = randomBytes(SALT_BYTES);
  const seal = sealer(key, salt);
  await file.writev([MAGIC, salt, ...seal('meta', Buffer.from(JSON.stringify(meta)))]);
  // The fastest level: QEMU's stream is read as fast as it comes, and most of what can be saved is saved.
  const compress = createZstdCompress({
    chunkSize: CHUNK_BYTES,
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
  await pipeline(memory, compress, async (compressed: AsyncIterable<Buffer>) => {
    let unsynced = 0;
    for await (const chunk of compressed) {
      await file.writev([...seal('memory', chunk)]);
      unsynced += chunk.length;
      if (!isSynced || unsynced < SYNC_BYTES) continue;
      await file.datasync();
      unsynced = 0;
    }
  });
  await file.writev([...seal('end', Buffer.alloc(0))]);
  if (isSynced) await file.sync();
  return (await file.stat()).size;
}

export interface StateReader extends AsyncDisposable {
  readonly meta: unknown;
  /**
   * QEMU's stream. Throws StateDamaged as soon as a frame is not as it was written, and what the storage says when the
   * file cannot be read. Read it once.
   */
  memory(): AsyncIterable<Buffer>;
}

/** Opens the file and reads its meta data. Throws StateDamaged. `onRead`: hears every byte of the file, in order. */
export async function openState(
  path: string,
  key: StateKey,
  onRead?: (bytes: Buffer) => void,
): Promise<StateReader> {
  const file = await open(path, 'r');
  const read: Read = async (length) => {
    const bytes = await readExactly(file, length);
    onRead?.(bytes);
    return bytes;
  };
  try {
    return { ...(await readState(read, key)), [Symbol.asyncDispose]: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The same from bytes that come from anywhere. `read`: exactly so many of them; throws StateDamaged at the end. */
export async function readState(
  read: (length: number) => Promise<Buffer>,
  key: StateKey,
): Promise<Pick<StateReader, 'meta' | 'memory'>> {
  const head = await read(MAGIC.length + SALT_BYTES);
  if (!head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new StateDamaged('it does not begin as such a file does');
  const frames = readFrames(read, key, head.subarray(MAGIC.length));
  const first = await frames.next();
  if (first.done === true || first.value.kind !== 'meta')
    throw new StateDamaged('it holds no description of the guest');
  const meta: unknown = JSON.parse(first.value.data.toString('utf8'));
  return { meta, memory: () => memoryOf(frames) };
}

type Frame = { readonly kind: Kind; readonly data: Buffer };

async function* memoryOf(frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
  const decompress = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  const feed = pipeline(compressed(frames), decompress, { end: true });
  // Told by the loop below, which ends with the same error.
  feed.catch(() => {});
  try {
    for await (const chunk of decompress) yield chunk as Buffer;
    await feed;
  } catch (error) {
    throw error instanceof StateDamaged || isOfStorage(error)
      ? error
      : new StateDamaged(`it cannot be unpacked (${String(error)})`);
  }
}

/** The file could not be read, now: that says nothing of what it holds. */
function isOfStorage(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.syscall === 'string';
}

async function* compressed(frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
  for await (const { kind, data } of frames) {
    if (kind === 'end') return;
    if (kind !== 'memory') throw new StateDamaged('its parts are not in order');
    yield data;
  }
  throw new StateDamaged('its end is missing');
}

type Read = (length: number) => Promise<Buffer>;

async function* readFrames(read: Read, key: StateKey, salt: Buffer): AsyncGenerator<Frame> {
  const unseal = unsealer(key, salt);
  for (;;) {
    const head = await read(HEAD_BYTES);
    const kind = (Object.keys(KIND) as Kind[]).find((name) => KIND[name] === head[0]);
    const length = head.readUInt32BE(1);
    if (kind === undefined || length > MAX_FRAME_BYTES)
      throw new StateDamaged('a part of it is not one of ours');
    const body = await read(length + TAG_BYTES);
    yield { kind, data: unseal(kind, body.subarray(0, length), body.subarray(length)) };
    if (kind === 'end') return;
  }
}

async function readExactly(file: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  for (let have = 0; have < length; ) {
    const { bytesRead } = await file.read(buffer, have, length - have);
    if (bytesRead === 0) throw new StateDamaged('it ends too early');
    have += bytesRead;
  }
  return buffer;
}

/** Of this one file: the salt is new for each, so that no nonce is used twice with one key. */
function fileKey(key: StateKey, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key ?? Buffer.alloc(32), salt, 'podvisor hibernated state', 32));
}

function* nonces(): Generator<Buffer, never> {
  for (let number = 0n; ; number++) {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(number, 4);
    yield nonce;
  }
}

function sealer(key: StateKey, salt: Buffer): (kind: Kind, data: Buffer) => readonly Buffer[] {
  const secret = fileKey(key, salt);
  const numbers = nonces();
  return (kind, data) => {
    const cipher = createCipheriv('aes-256-gcm', secret, numbers.next().value);
    cipher.setAAD(Buffer.of(KIND[kind]));
    const head = Buffer.alloc(HEAD_BYTES);
    head[0] = KIND[kind];
    head.writeUInt32BE(data.length, 1);
    const text = cipher.update(data);
    cipher.final();
    return [head, text, cipher.getAuthTag()];
  };
}

function unsealer(key: StateKey, salt: Buffer): (kind: Kind, text: Buffer, tag: Buffer) => Buffer {
  const secret = fileKey(key, salt);
  const numbers = nonces();
  return (kind, text, tag) => {
    const cipher = createDecipheriv('aes-256-gcm', secret, numbers.next().value);
    cipher.setAAD(Buffer.of(KIND[kind]));
    cipher.setAuthTag(tag);
    const data = cipher.update(text);
    try {
      cipher.final();
    } catch {
      throw new StateDamaged('a part of it was changed, or it was written with another key');
    }
    return data;
  };
}
