/**
 * Two streams, each the other's far end, that behave like the ends of a TCP connection: what is written
 * arrives later and never within the call, an end is an end, a reset is a reset. (Node's own `duplexPair`
 * delivers within the call; an HTTP client then has its answer before it has asked, and gives up.)
 */
import { Duplex } from 'node:stream';

export function memoryPipe(): readonly [Duplex, Duplex] {
  const [left, right] = [new PipeEnd(), new PipeEnd()];
  left.far = right;
  right.far = left;
  return [left, right];
}

class PipeEnd extends Duplex {
  far: PipeEnd | undefined;
  /** The far end's write that waits until somebody reads here. */
  #held: (() => void) | undefined;

  override _read(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    process.nextTick(() => {
      if (this.far === undefined || this.far.destroyed || this.far.readableEnded)
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      else if (this.far.push(chunk)) done();
      else this.far.#held = done;
    });
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: (error?: Error) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'utf8', done);
  }

  override _final(done: () => void): void {
    process.nextTick(() => {
      this.far?.push(null);
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { far } = this;
    this.far = undefined;
    this.#held?.();
    // Who said goodbye lets the other read to the end.
    if (!this.writableFinished) process.nextTick(() => far?.destroy());
    done(error);
  }
}
