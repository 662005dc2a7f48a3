/**
 * Unpacks the memory of a state into two files: `memory`, which guests map, and `rest`, the stream of everything else.
 * The third, `whole`, is written last. The state is authenticated frame by frame, and what was read is told as a digest,
 * so that nobody who may change the file can have one content looked at and another one unpacked.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PAGE_BYTES, type SplitLimits, StreamSplitter } from './split-stream.ts';
import { openState, type StateKey } from './state-file.ts';

export const UNPACKED = { memory: 'memory', rest: 'rest', whole: 'whole' } as const;

/** Pages that follow each other are written at once. */
const RUN_BYTES = 512 * 1024;

/** Of a whole state file, as `unpackMemory` tells it of what it read. */
export async function stateDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

/** Into the empty `directory`. Throws StateDamaged, StreamNotSplit, or what the file system says. */
export async function unpackMemory(
  path: string,
  key: StateKey,
  directory: string,
  limits: SplitLimits,
): Promise<{ readonly digest: string; readonly memoryBytes: number }> {
  const hash = createHash('sha256');
  await using reader = await openState(path, key, (bytes) => void hash.update(bytes));
  // Who may read them is said by the mount that shows them, and by the directory around.
  await using memory = await open(join(directory, UNPACKED.memory), 'wx+', 0o444);
  await using rest = await open(join(directory, UNPACKED.rest), 'wx', 0o444);
  let runs = new Runs(0);
  const left: Buffer[] = [];
  let memoryBytes = 0;
  const splitter = new StreamSplitter(
    {
      size: (bytes) => {
        memoryBytes = bytes;
        runs = new Runs(bytes);
      },
      page: (address, page) => runs.add(address, page),
      rest: (bytes) => left.push(Buffer.from(bytes)),
    },
    limits,
  );
  for await (const chunk of reader.memory()) {
    splitter.write(chunk);
    await runs.flush(memory);
    if (left.length > 0) await rest.appendFile(Buffer.concat(left.splice(0)));
  }
  splitter.end();
  await memory.truncate(memoryBytes);
  await writeFile(join(directory, UNPACKED.whole), '', { mode: 0o444 });
  return { digest: hash.digest('hex'), memoryBytes };
}

interface Run {
  readonly address: number;
  readonly pages: Buffer[];
}

/** Pages on their way to the file, in their order. Zeros are written only over what was written before. */
class Runs {
  readonly #runs: Run[] = [];
  /** For each page: it holds something. */
  readonly #isWritten: Uint8Array;

  constructor(memoryBytes: number) {
    this.#isWritten = new Uint8Array(memoryBytes / PAGE_BYTES);
  }

  add(address: number, page: Buffer | undefined): void {
    const number = address / PAGE_BYTES;
    if (page === undefined && this.#isWritten[number] === 0) return;
    this.#isWritten[number] = page === undefined ? 0 : 1;
    const bytes = page === undefined ? Buffer.alloc(PAGE_BYTES) : Buffer.from(page);
    const last = this.#runs.at(-1);
    const follows = last !== undefined && last.address + last.pages.length * PAGE_BYTES === address;
    if (follows && last.pages.length < RUN_BYTES / PAGE_BYTES) last.pages.push(bytes);
    else this.#runs.push({ address, pages: [bytes] });
  }

  async flush(file: FileHandle): Promise<void> {
    for (const { address, pages } of this.#runs.splice(0)) {
      const bytes = Buffer.concat(pages);
      // A tmpfs that is full takes a part and says so with the next.
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, address + done);
        done += bytesWritten;
      }
    }
  }
}
