/** A connection in memory: what the other side sends is pushed, what is written to it is thrown away. */
import { Duplex } from 'node:stream';

export class Wire extends Duplex {
  /** Bytes that were written to the other side. */
  answered = 0;

  override _read(): void {
    // Data is pushed as it comes.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.answered += chunk.length;
    done();
  }

  /** Sends bytes and ends; resolves when everything that reads them is done. */
  async send(bytes: Uint8Array): Promise<void> {
    const half = bytes.length >>> 1;
    if (half > 0) this.push(Buffer.from(bytes.subarray(0, half)));
    if (bytes.length > half) this.push(Buffer.from(bytes.subarray(half)));
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    this.destroy();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
