/**
 * A wall clock for the programs of one home that a test can set; the monotonic clock goes on as it does. It is the
 * clock of JavaScript: OpenSSL's, which judges certificates, and that of containers stay right.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Loaded before a program: its `Date` is ahead by the seconds that the file says. */
const shim = (file: string): string => `import { readFileSync } from 'node:fs';
const { now } = Date;
let ahead = 0;
const look = () => { ahead = Number(readFileSync(${JSON.stringify(file)}, 'utf8')) * 1000; };
look();
setInterval(look, 100).unref();
const current = () => now() + ahead;
globalThis.Date = new Proxy(Date, {
  construct: (date, args, target) => Reflect.construct(date, args.length > 0 ? args : [current()], target),
  get: (date, key) => (key === 'now' ? current : Reflect.get(date, key)),
});
`;

export class JumpingClock {
  readonly #file: string;
  /** What programs that live by this clock have in their environment. */
  readonly env: Readonly<Record<string, string>>;

  /** `home`: where its programs will lie, all of which see them. */
  constructor(home: string) {
    const lib = join(home, 'lib');
    mkdirSync(lib, { mode: 0o755, recursive: true });
    this.#file = join(lib, 'seconds-ahead');
    const program = join(lib, 'jumping-clock.mjs');
    this.env = { NODE_OPTIONS: `--import ${program}` };
    writeFileSync(program, shim(this.#file), { mode: 0o644 });
    this.jumpTo(0);
  }

  /** From now on, within a tenth of a second, the wall clock is this far ahead of the machine's. */
  jumpTo(seconds: number): void {
    writeFileSync(`${this.#file}.new`, String(seconds), { mode: 0o644 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}
