/**
 * Which code has run, from V8's block coverage. Asking costs less than a millisecond and the counters cost nothing
 * measurable, so that a fuzzer may ask after every few inputs and keep those that reached something new.
 */
import { type Profiler, Session } from 'node:inspector';

type Interval = readonly [start: number, end: number];

export class Coverage {
  readonly #session = new Session();
  readonly #isOurs: (url: string) => boolean;
  /** Function → what of it has never run. A function that is not here was never called. */
  readonly #missing = new Map<string, readonly Interval[]>();

  /** `isOurs`: whether code of this URL counts. */
  constructor(isOurs: (url: string) => boolean) {
    this.#isOurs = isOurs;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', {
      callCount: true,
      detailed: true,
      allowTriggeredUpdates: false,
    });
    this.grew();
  }

  /** Whether anything ran for the first time since the last question; it is remembered as known. */
  grew(): boolean {
    return this.#compare(this.#take(), true);
  }

  /** The same question without remembering. `settle` remembers it later, whatever was asked meanwhile. */
  probe(): { readonly isNew: boolean; settle(): void } {
    const taken = this.#take();
    return {
      isNew: this.#compare(taken, false),
      settle: () => void this.#compare(taken, true),
    };
  }

  /** Functions that have run. */
  get functions(): number {
    return this.#missing.size;
  }

  close(): void {
    this.#session.disconnect();
  }

  #take(): readonly Profiler.ScriptCoverage[] {
    let result: readonly Profiler.ScriptCoverage[] = [];
    // In-process sessions answer before `post` returns.
    this.#session.post('Profiler.takePreciseCoverage', (_, taken) => (result = taken?.result ?? []));
    return result;
  }

  #compare(scripts: readonly Profiler.ScriptCoverage[], remember: boolean): boolean {
    let isNew = false;
    for (const { url, scriptId, functions } of scripts)
      if (this.#isOurs(url))
        for (const { ranges } of functions) {
          const key = `${scriptId}:${ranges[0]?.startOffset}`;
          const before = this.#missing.get(key);
          if (ranges[0]?.count === 0 || before?.length === 0) continue;
          const now = before === undefined ? idleOf(ranges) : intersection(before, idleOf(ranges));
          if (before !== undefined && length(now) === length(before)) continue;
          isNew = true;
          if (remember) this.#missing.set(key, now);
        }
    return isNew;
  }
}

function idleOf(ranges: readonly Profiler.CoverageRange[]): readonly Interval[] {
  return ranges
    .filter(({ count }) => count === 0)
    .map(({ startOffset, endOffset }): Interval => [startOffset, endOffset]);
}

function intersection(a: readonly Interval[], b: readonly Interval[]): readonly Interval[] {
  return a.flatMap(([start, end]) =>
    b.flatMap(([from, to]) => {
      const common: Interval = [Math.max(start, from), Math.min(end, to)];
      return common[0] < common[1] ? [common] : [];
    }),
  );
}

function length(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, [start, end]) => sum + end - start, 0);
}
