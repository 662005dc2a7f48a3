/** A small file system of its own, that can be filled up and stopped in the middle of its writes. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const BYTES = 48 * 1024 * 1024;

export class SmallDisk implements Disposable {
  readonly mountPoint: string;
  readonly #image: string;
  readonly #ballast: string;
  #isFrozen = false;
  readonly #onExit = (): void => this[Symbol.dispose]();

  constructor(directory: string, bytes = BYTES) {
    this.#image = join(directory, 'disk.img');
    this.mountPoint = join(directory, 'd');
    this.#ballast = join(this.mountPoint, 'ballast');
    writeFileSync(this.#image, '');
    truncateSync(this.#image, bytes);
    mkdirSync(this.mountPoint);
    execFileSync('mkfs.ext4', ['-q', '-m', '0', this.#image]);
    execFileSync('mount', ['-o', 'loop', this.#image, this.mountPoint]);
    process.once('exit', this.#onExit);
  }

  /** Takes all the room that is left. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (let size = 1024 * 1024; size >= 512; )
        try {
          writeSync(file, Buffer.alloc(size));
        } catch {
          size /= 2;
        }
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Every write waits from now on. */
  freeze(): void {
    execFileSync('fsfreeze', ['--freeze', this.mountPoint]);
    this.#isFrozen = true;
  }

  thaw(): void {
    if (this.#isFrozen) execFileSync('fsfreeze', ['--unfreeze', this.mountPoint]);
    this.#isFrozen = false;
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#onExit);
    this.thaw();
    execFileSync('umount', [this.mountPoint]);
    rmSync(this.#image);
  }
}
