/**
 * What QEMU writes to a monitor (QMP): one JSON object a line. QEMU may be lost to its guest: a line that is too long, or
 * none, ends the conversation, and so does one who talks more between two questions than any answer needs: who listens
 * serves all guests of a node. Pure.
 */
import { isRecord } from '@podvisor/base';
import { type Fields } from '../launcher-client/parse-values.ts';

/** The numbers of a guest with hundreds of disks have room. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** Answers of one round, and what QEMU tells unasked until the next: a few hundred bytes a second at most. */
const MAX_ROUND_BYTES = 2 * MAX_LINE_BYTES;
const NEWLINE = 0x0a;

/** Not what QEMU would say. */
export class MonitorError extends Error {
  constructor(what: string) {
    super(`QEMU's monitor: ${what}`);
    this.name = 'MonitorError';
  }
}

export class MonitorLines {
  #parts: Buffer[] = [];
  #bytes = 0;
  #roundBytes = 0;

  /** Something is asked: QEMU may talk again. */
  ask(): void {
    this.#roundBytes = 0;
  }

  /** The objects that these bytes complete. Throws MonitorError. */
  push(chunk: Buffer): readonly Fields[] {
    this.#roundBytes += chunk.length;
    if (this.#roundBytes > MAX_ROUND_BYTES) throw new MonitorError('more than anybody has asked for');
    const objects: Fields[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      objects.push(parsed(this.#take()));
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return objects;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > MAX_LINE_BYTES) throw new MonitorError('a line without end');
    if (part.length > 0) this.#parts.push(part);
  }

  #take(): string {
    const [first] = this.#parts;
    const line = this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return line.toString('utf8');
  }
}

function parsed(line: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new MonitorError('not JSON');
  }
  if (!isRecord(value)) throw new MonitorError('no object');
  return value;
}
