/**
 * Writes pieces to places in files. Neighbours are gathered, and while some go to the disk the next ones arrive.
 * Blocks of zeros are left out: the files are new, so that zeros are there already.
 */
import type { FileHandle } from 'node:fs/promises';
import { dataRanges } from './sparse-file.ts';

const GATHER = 4 * 1024 * 1024;

export class PlaceWriter {
  #handle: FileHandle | undefined;
  #position = 0;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  async write(handle: FileHandle, position: number, bytes: Uint8Array): Promise<void> {
    const follows = handle === this.#handle && position === this.#position + this.#gatheredBytes;
    if (!follows || this.#gatheredBytes >= GATHER) {
      await this.#hand();
      this.#handle = handle;
      this.#position = position;
    }
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.length;
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await this.#hand();
    await this.#settled();
  }

  async #hand(): Promise<void> {
    await this.#settled();
    const handle = this.#handle;
    if (handle === undefined || this.#gatheredBytes === 0) return;
    const [first] = this.#gathered;
    const bytes = this.#gathered.length === 1 && first !== undefined ? first : Buffer.concat(this.#gathered);
    const position = this.#position;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#writing = store(handle, position, bytes).catch((error: unknown) => {
      this.#failure = { error };
    });
  }

  async #settled(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

async function store(handle: FileHandle, position: number, bytes: Uint8Array): Promise<void> {
  for (const [start, end] of dataRanges(bytes))
    for (let at = start; at < end; ) {
      const { bytesWritten } = await handle.write(bytes, at, end - at, position + at);
      at += bytesWritten;
    }
}
