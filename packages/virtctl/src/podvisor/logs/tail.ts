/** A file that grows: gives the lines that were added since the last time. Reads its end only, when it is large. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const MAX_FIRST_BYTES = 64 * 1024 * 1024;
const MAX_LINE = 1024 * 1024;

export class Tail {
  readonly path: string;
  #offset: number | undefined;
  #rest = '';
  /** Of the last line that had one. */
  lastMs = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Whole lines only; a file that is gone or not there yet has none. */
  lines(): readonly string[] {
    const text = this.#rest + this.#added();
    const lines = text.split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    return lines.filter((line) => line !== '');
  }

  #added(): string {
    let file: number;
    try {
      file = openSync(this.path, 'r');
    } catch {
      return ''; // not there yet, or not there any more
    }
    try {
      const { size } = fstatSync(file);
      const isFirst = this.#offset === undefined;
      // One that shrank was begun anew.
      let from = this.#offset ?? Math.max(0, size - MAX_FIRST_BYTES);
      if (from > size) from = 0;
      const bytes = Buffer.alloc(size - from);
      const read = readSync(file, bytes, 0, bytes.length, from);
      this.#offset = from + read;
      const text = bytes.subarray(0, read).toString('utf8');
      return isFirst && from > 0 ? text.slice(text.indexOf('\n') + 1) : text;
    } finally {
      closeSync(file);
    }
  }
}
