/**
 * The file that bytes of a source are kept in while they arrive: the image itself when it is raw, else a file
 * that is converted afterwards. A note beside it says how much of which content is safely on disk, so that an
 * import that was interrupted, also by a power cut, goes on from there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises';

export interface SpoolNote {
  readonly url: string;
  readonly version: string;
  /** Bytes that are synced. */
  readonly bytes: number;
  /** What the bytes are kept as. */
  readonly file: string;
}

export function readNote(path: string): SpoolNote | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const { url, version, bytes, file } = JSON.parse(readFileSync(path, 'utf8')) as Partial<SpoolNote>;
    if (typeof url !== 'string' || typeof version !== 'string' || typeof file !== 'string') return undefined;
    return Number.isSafeInteger(bytes) ? { url, version, file, bytes: bytes ?? 0 } : undefined;
  } catch {
    return undefined; // half a note is none
  }
}

/** The bytes first, then the note that vouches for them. */
export async function keepNote(path: string, note: SpoolNote, spool: FileHandle): Promise<void> {
  await spool.datasync();
  await writeFile(`${path}.new`, JSON.stringify(note), { flush: true });
  await rename(`${path}.new`, path);
}

export async function dropNote(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.new`, { force: true });
}

/** Opens for writing in the middle; makes the file when it is not there. */
export async function openSpool(path: string): Promise<FileHandle> {
  return open(path, existsSync(path) ? 'r+' : 'w+', 0o660);
}
