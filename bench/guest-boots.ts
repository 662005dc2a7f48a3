/**
 * How far each guest of a bench is: created, running, booted (its agent answers), or failed. It is told of changes and
 * resolves waits; it asks nobody and measures nothing itself.
 */
import type { VirtualMachineInstance } from '@podvisor/api';

export type Reached = 'running' | 'agent';

export class GuestBoots {
  readonly #elapsed: () => number;
  readonly #created = new Map<string, number>();
  readonly #reached = { running: new Map<string, number>(), agent: new Map<string, number>() };
  #failed: string | undefined;
  #changed = Promise.withResolvers<void>();

  /** `elapsed`: milliseconds on a clock that never jumps. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  get names(): readonly string[] {
    return [...this.#created.keys()];
  }

  /** The guest is created now: its times count from here. */
  create(name: string): void {
    this.#created.set(name, this.#elapsed());
  }

  readonly look = ({ metadata, status }: VirtualMachineInstance): void => {
    const name = metadata?.name ?? '';
    const began = this.#created.get(name);
    if (began === undefined) return;
    const note = (what: Reached): void => {
      if (!this.#reached[what].has(name)) this.#reached[what].set(name, this.#elapsed() - began);
    };
    if (status?.phase === 'Failed') this.#failed ??= name;
    if (status?.phase === 'Running') note('running');
    if (status?.conditions?.some((c) => c.type === 'AgentConnected' && c.status === 'True')) note('agent');
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  };

  /** Milliseconds of those that are that far. */
  times(names: readonly string[], what: Reached): readonly number[] {
    return names.flatMap((name) => this.#reached[what].get(name) ?? []);
  }

  /**
   * Resolves with true when all are that far, with false when `late` aborts before; rejects as soon as a guest has
   * failed, because the others would then measure something else.
   */
  async until(names: readonly string[], what: Reached, late: AbortSignal): Promise<boolean> {
    const isLate = Promise.withResolvers<void>();
    const end = (): void => isLate.resolve();
    late.addEventListener('abort', end);
    try {
      for (;;) {
        if (this.#failed !== undefined) throw new Error(`${this.#failed} failed`);
        if (this.times(names, what).length === names.length) return true;
        if (late.aborted) return false;
        await Promise.race([this.#changed.promise, isLate.promise]);
      }
    } finally {
      late.removeEventListener('abort', end);
    }
  }
}

/** p50, p95 and the last, in seconds; how many of `expected` there are, where some are missing. Pure. */
export function spread(times: readonly number[], expected: number): string {
  const missing = times.length < expected ? `only ${times.length} of ${expected}` : '';
  if (times.length === 0) return missing;
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    ((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000).toFixed(1);
  const told = `p50 ${at(0.5)} s, p95 ${at(0.95)} s, last ${at(1)} s`;
  return missing === '' ? told : `${missing}: ${told}`;
}
