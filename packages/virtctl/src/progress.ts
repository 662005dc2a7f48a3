/** Bytes on their way: a bar with rate and time left on terminals, nothing elsewhere, or lines of JSON for programs. */
import { Transform, type Writable } from 'node:stream';
import { InvalidArgumentError, Option } from 'commander';

/** `auto`: a bar where somebody watches. `json`: a line a second and one at the end, on standard error. */
export type ProgressMode = 'auto' | 'json' | 'none';

const MODES: readonly ProgressMode[] = ['auto', 'json', 'none'];
const WIDTH = 30;
const DRAW_EVERY_MS = 200;
const TELL_EVERY_MS = 1000;
const MIB = 1024 * 1024;

/** `--progress auto|json|none` of a command. */
export function progressOption(): Option {
  return new Option('--progress <how>', 'auto (a bar on terminals), json (lines for programs) or none')
    .default('auto')
    .argParser((text: string) => {
      const found = MODES.find((mode) => mode === text);
      if (found === undefined) throw new InvalidArgumentError(`use ${MODES.join(', ')}`);
      return found;
    });
}

/** `12.0 MiB / 64.0 MiB [=====>      ] 18 % 4.0 MiB/s 13 s`; without a total only what is known. Pure. */
export function barText(bytes: number, totalBytes: number | undefined, elapsedMs: number): string {
  const { rate, leftSeconds } = speed(bytes, totalBytes, elapsedMs);
  const mebibytes = (value: number): string => `${(value / MIB).toFixed(1)} MiB`;
  if (totalBytes === undefined) return `${mebibytes(bytes)} ${mebibytes(rate)}/s`;
  const part = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
  const full = Math.floor(part * WIDTH);
  const bar = `${'='.repeat(full)}${full < WIDTH ? '>' : ''}`.padEnd(WIDTH).slice(0, WIDTH);
  const left = leftSeconds === undefined ? '' : ` ${leftSeconds} s`;
  return `${mebibytes(bytes)} / ${mebibytes(totalBytes)} [${bar}] ${Math.floor(part * 100)} % ${mebibytes(rate)}/s${left}`;
}

function speed(
  bytes: number,
  totalBytes: number | undefined,
  elapsedMs: number,
): { readonly rate: number; readonly leftSeconds: number | undefined } {
  const rate = elapsedMs === 0 ? 0 : bytes / (elapsedMs / 1000);
  const isKnown = rate > 0 && totalBytes !== undefined;
  return { rate, leftSeconds: isKnown ? Math.ceil(Math.max(0, totalBytes - bytes) / rate) : undefined };
}

export interface ProgressOptions {
  /** What is on its way: `upload`, `download`. */
  readonly what: string;
  readonly mode: ProgressMode;
  readonly out: Writable & { readonly isTTY?: boolean };
  now(): number;
}

/** Tells how far something is; calls cost nothing where nobody listens. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #startedAt: number;
  #toldAt: number;
  #bytes = 0;
  #totalBytes: number | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    // A bar is there at once, a line when there is something to tell.
    this.#toldAt = options.mode === 'json' ? this.#startedAt : Number.NEGATIVE_INFINITY;
  }

  at(bytes: number, totalBytes: number | undefined): void {
    this.#bytes = bytes;
    this.#totalBytes = totalBytes;
    const { mode, now } = this.#options;
    if (now() - this.#toldAt < (mode === 'json' ? TELL_EVERY_MS : DRAW_EVERY_MS)) return;
    this.#toldAt = now();
    this.#tell(false);
  }

  end(): void {
    this.#tell(true);
  }

  /** It ended well: all is there, which is `bytes` where that is known only now. Programs are always told. */
  all(bytes = this.#totalBytes): void {
    this.#bytes = bytes ?? this.#bytes;
    this.#totalBytes = bytes;
    if (this.#options.mode === 'json' || this.#toldAt > Number.NEGATIVE_INFINITY) this.#tell(true);
  }

  /** Somebody watches a bar. */
  get isShown(): boolean {
    const { mode, out } = this.#options;
    return mode === 'auto' && out.isTTY === true;
  }

  /** Takes the bar away, so that a line can be written. */
  clear(): void {
    if (this.isShown) this.#options.out.write('\r\u001b[K');
  }

  #tell(isLast: boolean): void {
    const { what, mode, out, now } = this.#options;
    const elapsedMs = now() - this.#startedAt;
    if (mode === 'json') {
      const { rate, leftSeconds } = speed(this.#bytes, this.#totalBytes, elapsedMs);
      const line = {
        progress: what,
        bytes: this.#bytes,
        totalBytes: this.#totalBytes,
        bytesPerSecond: Math.round(rate),
        secondsLeft: leftSeconds,
        done: isLast,
      };
      out.write(`${JSON.stringify(line)}\n`);
    } else if (this.isShown)
      out.write(`\r${barText(this.#bytes, this.#totalBytes, elapsedMs)}\u001b[K${isLast ? '\n' : ''}`);
  }
}

/** A stream that counts what passes. */
export function counting(progress: Progress, totalBytes: number | undefined): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      progress.at(bytes, totalBytes);
      done(null, chunk);
    },
    flush(done) {
      progress.end();
      done();
    },
  });
}
