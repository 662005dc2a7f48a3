/**
 * Since when this process knows the run of each VMI as over, by a clock that nobody sets. The status tells the time of
 * a phase in whole seconds and by another machine's clock. A process that started since counts anew, so an answer is
 * never longer than clients could see the phase.
 */
import type { VirtualMachineInstance } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { isFinal } from '../vmi-phase.ts';

export class OverTimes {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #known = new Map<string, { readonly uid: string; readonly sinceMs: number }>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#known.size;
  }

  /** Milliseconds since the first call that showed this VMI in its last phase; 0 while it is in another. */
  overForMs(key: string, vmi: VirtualMachineInstance): number {
    if (!isFinal(vmi)) {
      this.#known.delete(key);
      return 0;
    }
    const uid = vmi.metadata?.uid ?? '';
    const known = this.#known.get(key);
    if (known?.uid === uid) return this.#clock.elapsed() - known.sinceMs;
    this.#known.set(key, { uid, sinceMs: this.#clock.elapsed() });
    return 0;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}
