/** A wall clock for the programs of one home that a test can set: the monotonic clock goes on as it does. */
import { existsSync, writeFileSync } from 'node:fs';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

export class JumpingClock {
  readonly #file: string;
  /** What programs that live by this clock have in their environment. */
  readonly env: Readonly<Record<string, string>>;

  static readonly missing = existsSync(LIBRARY) ? false : `libfaketime is not installed (${LIBRARY})`;

  /** `file`: where its offset is kept; every program must be able to read it. */
  constructor(file: string) {
    this.#file = file;
    this.env = {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Its shared memory cannot be reached from the namespaces of our programs.
      FAKETIME_DISABLE_SHM: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    this.jumpTo(0);
  }

  /** From now on the wall clock is this far ahead of the machine's. */
  jumpTo(offsetSeconds: number): void {
    writeFileSync(this.#file, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}\n`, { mode: 0o644 });
  }
}
