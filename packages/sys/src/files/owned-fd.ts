/** A file descriptor with one owner: closed once, by `close()` or by leaving a `using` block. */
import { closeSync } from 'node:fs';

export class OwnedFd implements Disposable {
  #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** The number; throws after close, so that a recycled descriptor is never used by mistake. */
  get fd(): number {
    if (this.#fd < 0) throw new Error('the file descriptor is closed already');
    return this.#fd;
  }

  /** A path that names exactly the open file, whatever happens to directory entries. */
  get procPath(): string {
    return `/proc/self/fd/${this.fd}`;
  }

  /** The number, for a new owner: this one closes it no more. */
  release(): number {
    const { fd } = this;
    this.#fd = -1;
    return fd;
  }

  close(): void {
    if (this.#fd < 0) return;
    const fd = this.#fd;
    this.#fd = -1;
    closeSync(fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
