/** A qcow2 file that is taken apart: what went to its place in the disk, and what is kept beside it. */
import type { FileHandle } from 'node:fs/promises';
import { PlaceWriter } from '../write/place-writer.ts';
import { Arrivals } from './arrivals.ts';
import type { Qcow2Layout } from './layout.ts';

export class ClusterFiles {
  readonly layout: Qcow2Layout;
  readonly disk: FileHandle;
  readonly #kept: FileHandle;
  readonly #arrivals: Arrivals;
  readonly #writer = new PlaceWriter();
  #length = 0;

  constructor(layout: Qcow2Layout, files: { readonly disk: FileHandle; readonly kept: FileHandle }) {
    this.layout = layout;
    this.disk = files.disk;
    this.#kept = files.kept;
    this.#arrivals = new Arrivals(layout);
  }

  /** Bytes of the file that have come. */
  get length(): number {
    return this.#length;
  }

  /** Takes whole clusters; a part of one only as the last of all. */
  async write(chunk: Uint8Array): Promise<void> {
    const { clusterBytes, virtualSizeBytes } = this.layout;
    for (let at = 0; at < chunk.length; at += clusterBytes) {
      const bytes = chunk.subarray(at, at + clusterBytes);
      const guest = this.#arrivals.arrive(bytes);
      if (guest === undefined) await this.#writer.write(this.#kept, this.#length, bytes);
      else {
        const start = guest * clusterBytes;
        await this.#writer.write(this.disk, start, bytes.subarray(0, virtualSizeBytes - start));
      }
      this.#length += bytes.length;
    }
  }

  /** Resolves when everything that came is written. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** On disk when it resolves. */
  async sync(): Promise<void> {
    await Promise.all([this.disk.datasync(), this.#kept.datasync()]);
  }

  /** Finds out again where the first `length` bytes went, after a crash. Each of them is handed to `see`, if given. */
  async recall(length: number, see: ((bytes: Uint8Array) => void) | undefined): Promise<void> {
    const { clusterBytes } = this.layout;
    for (let at = 0; at < length; at += clusterBytes) {
      const table = this.#arrivals.nextIsTable
        ? await readFully(this.#kept, at, clusterBytes, Buffer.alloc(clusterBytes))
        : undefined;
      this.#arrivals.arrive(table);
      this.#length = at + clusterBytes;
      see?.(await this.read(at, clusterBytes));
    }
  }

  /** Bytes of the file, wherever they are now; zeros where it has ended. */
  async read(offset: number, length: number): Promise<Buffer> {
    const { clusterBytes } = this.layout;
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const at = offset + done;
      if (at >= this.#length) break;
      const within = at % clusterBytes;
      const count = Math.min(clusterBytes - within, length - done);
      const place = this.#arrivals.placeOf((at - within) / clusterBytes);
      const [handle, position] =
        place === undefined ? [this.#kept, at] : [this.disk, place * clusterBytes + within];
      await readFully(handle, position, count, bytes.subarray(done));
      done += count;
    }
    return bytes;
  }

  /** Whether this part of the file has gone to this very place in the disk. */
  isInPlace(offset: number, guest: number): boolean {
    return this.#arrivals.placeOf(offset / this.layout.clusterBytes) === guest;
  }
}

async function readFully(
  handle: FileHandle,
  position: number,
  length: number,
  into: Buffer,
): Promise<Buffer> {
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(into, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return into;
}
