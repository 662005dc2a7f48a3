/**
 * Unpacks the memory of a state into two files: `memory`, which guests map, and `rest`, the stream of everything else.
 * The third, `whole`, is written last. The state is authenticated frame by frame, and what was read is told as a digest,
 * so that nobody who may change the file can have one content looked at and another one unpacked.
 */
import { createHash } from 'node:crypto';
import { writeSync, writevSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAGE_BYTES, type SplitLimits, StreamSplitter } from './split-stream.ts';
import { openState, StateDamaged, type StateKey } from './state-file.ts';

export const UNPACKED = { memory: 'memory', rest: 'rest', whole: 'whole' } as const;

const READ_BYTES = 1024 * 1024;
const RUN_PAGES = 256;

/**
 * Of a whole state file, as `unpackMemory` tells it of what it read. Throws StateDamaged when there are more than
 * `mostBytes`: the file is in a tenant's reach, and may grow for as long as it is read.
 */
export async function stateDigest(path: string, mostBytes = Infinity): Promise<string> {
  const hash = createHash('sha256');
  await using file = await open(path, 'r');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (let bytes = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return hash.digest('hex');
    bytes += bytesRead;
    if (bytes > mostBytes) throw new StateDamaged('it is longer than a state can be');
    hash.update(buffer.subarray(0, bytesRead));
  }
}

/**
 * Into the empty `directory`. Throws StateDamaged, StreamNotSplit, or what the file system says. Writes are synchronous,
 * for a thread that does nothing else: there are thousands, and each takes less than waiting for it.
 */
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
  let runs = new Runs(memory.fd, 0);
  let memoryBytes = 0;
  const splitter = new StreamSplitter(
    {
      size: (bytes) => {
        memoryBytes = bytes;
        runs = new Runs(memory.fd, bytes);
      },
      page: (address, page) => runs.add(address, page),
      rest: (bytes) => writeAll(rest.fd, [bytes]),
    },
    limits,
  );
  for await (const chunk of reader.memory()) {
    splitter.write(chunk);
    runs.flush();
  }
  splitter.end();
  await memory.truncate(memoryBytes);
  await writeFile(join(directory, UNPACKED.whole), '', { mode: 0o444 });
  return { digest: hash.digest('hex'), memoryBytes };
}

const NOTHING = Buffer.alloc(PAGE_BYTES);

/** Pages that follow each other are written at once. Zeros are written only over what was written before. */
class Runs {
  readonly #fd: number;
  /** For each page: it holds something. */
  readonly #isWritten: Uint8Array;
  #address = 0;
  #pages: Buffer[] = [];

  constructor(fd: number, memoryBytes: number) {
    this.#fd = fd;
    this.#isWritten = new Uint8Array(memoryBytes / PAGE_BYTES);
  }

  /** Pages are parts of the chunk that the splitter has: call `flush` before it gets another one. */
  add(address: number, page: Buffer | undefined): void {
    const number = address / PAGE_BYTES;
    if (page === undefined && this.#isWritten[number] === 0) return;
    this.#isWritten[number] = page === undefined ? 0 : 1;
    const follows = this.#address + this.#pages.length * PAGE_BYTES === address;
    if (!follows || this.#pages.length >= RUN_PAGES) this.flush();
    if (this.#pages.length === 0) this.#address = address;
    this.#pages.push(page ?? NOTHING);
  }

  flush(): void {
    if (this.#pages.length > 0) writeAll(this.#fd, this.#pages, this.#address);
    this.#pages = [];
  }
}

/** A tmpfs that is full takes a part, and says so with the next. */
function writeAll(fd: number, parts: readonly Buffer[], position?: number): void {
  let written = writevSync(fd, parts, position);
  if (written === parts.reduce((sum, { length }) => sum + length, 0)) return;
  const bytes = Buffer.concat(parts);
  while (written < bytes.length)
    written += writeSync(
      fd,
      bytes,
      written,
      bytes.length - written,
      position === undefined ? undefined : position + written,
    );
}
