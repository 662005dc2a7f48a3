/** Tells how far the import is, as JSON lines, seldom enough to be no load. */
import type { ImportProgress } from '@podvisor/api';

const TELL_EVERY_MS = 500;
/** Share of the bar that arriving takes when a conversion follows. */
const DOWNLOAD_SHARE = 80;

export class Progress {
  readonly #tell: (line: ImportProgress) => void;
  readonly #now: () => number;
  #startedAt: number;
  #toldAt = Number.NEGATIVE_INFINITY;
  #bytes = 0;
  #from = 0;
  /** Set once the image is known to need a conversion. */
  converts = false;

  constructor(tell: (line: ImportProgress) => void, now: () => number) {
    this.#tell = tell;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Bytes that were there before this run: they count for the part done, not for the rate. */
  resumeAt(bytes: number): void {
    this.#bytes = bytes;
    this.#from = bytes;
    this.#startedAt = this.#now();
  }

  arrived(count: number, totalBytes: number | undefined): void {
    this.#bytes += count;
    const whole = this.converts ? DOWNLOAD_SHARE : 100;
    this.#say('download', totalBytes === undefined ? 0 : (this.#bytes / totalBytes) * whole);
  }

  converted(percent: number): void {
    this.#say('convert', DOWNLOAD_SHARE + (percent * (100 - DOWNLOAD_SHARE)) / 100);
  }

  #say(step: ImportProgress['step'], percent: number): void {
    const now = this.#now();
    if (now - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = now;
    const seconds = Math.max(0.001, (now - this.#startedAt) / 1000);
    this.#tell({
      step,
      percent: Math.round(Math.min(percent, 100) * 100) / 100,
      bytes: this.#bytes,
      bytesPerSecond: Math.round((this.#bytes - this.#from) / seconds),
    });
  }
}
