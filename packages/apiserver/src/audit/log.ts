/** A file of JSON lines that never grows without end: when it is full, it becomes `.1` and a new one begins. */
import { createWriteStream, openSync, renameSync, statSync, type WriteStream } from 'node:fs';

export interface AuditLogOptions {
  readonly path: string;
  /** Half of the space that the log may take: one file is written, one is kept. */
  readonly maxBytes: number;
  onError(error: Error): void;
}

/** Lines that wait for a slow disk are dropped beyond this many bytes, and counted. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** Lines of this long are written together: each write of a file costs as much as making its line. */
const GATHER_MS = 20;

export class AuditLog {
  readonly #options: AuditLogOptions;
  #stream: WriteStream;
  #bytes: number;
  #dropped = 0;
  #gathered: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#bytes = sizeOf(options.path);
    this.#stream = this.#open();
  }

  write(event: object): void {
    if (this.#stream.writableLength > MAX_WAITING_BYTES) {
      this.#dropped += 1;
      return;
    }
    const lost = this.#dropped === 0 ? event : { ...event, droppedBefore: this.#dropped };
    this.#dropped = 0;
    const line = `${JSON.stringify(lost)}\n`;
    this.#bytes += Buffer.byteLength(line);
    if (this.#bytes > this.#options.maxBytes) this.#rotate(Buffer.byteLength(line));
    this.#gathered.push(line);
    this.#timer ??= setTimeout(() => this.#pass(), GATHER_MS);
  }

  close(): Promise<void> {
    this.#pass();
    return new Promise((resolve) => this.#stream.end(resolve));
  }

  /** What was gathered goes on its way. */
  #pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#gathered.length === 0) return;
    this.#stream.write(this.#gathered.join(''));
    this.#gathered = [];
  }

  #rotate(bytes: number): void {
    this.#pass();
    this.#stream.end();
    try {
      renameSync(this.#options.path, `${this.#options.path}.1`);
    } catch (error) {
      this.#options.onError(error instanceof Error ? error : new Error(String(error)));
    }
    this.#bytes = bytes;
    this.#stream = this.#open();
  }

  #open(): WriteStream {
    // Opened at once: the file must be there when the next one takes its name.
    const fd = openSync(this.#options.path, 'a', 0o600);
    const stream = createWriteStream('', { fd });
    stream.on('error', (error) => this.#options.onError(error));
    return stream;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
