import { type FileHandle } from 'node:fs/promises';
export interface SpoolNote {
  readonly url: string;
  readonly version: string;
  /** Bytes that are synced. */
  readonly bytes: number;
  /** What the bytes are kept as. */
  readonly file: string;
}
export declare function readNote(path: string): SpoolNote | undefined;
/** The bytes first, then the note that vouches for them. */
export declare function keepNote(path: string, note: SpoolNote, spool: FileHandle): Promise<void>;
export declare function dropNote(path: string): Promise<void>;
/** Opens for writing in the middle; makes the file when it is not there. */
export declare function openSpool(path: string): Promise<FileHandle>;
