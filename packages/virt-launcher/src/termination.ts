/**
 * How a launcher ends: the guest's run is over, or the Pod is asked to go. The final state is held
 * out to virt-handler before the process leaves, so that it need not guess.
 */
import type { DomainState } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import type { DomainKnowledge } from './domain/domain-observer.ts';
import { isActive } from './domain/domain-state.ts';
import type { RunState } from './domain-manager/context.ts';
import type { Log } from './log.ts';

export interface TerminationOptions {
  readonly runState: RunState;
  readonly gracePeriodSeconds: number;
  /** Stay after QEMU broke, until asked to end: someone wants to look inside the Pod. */
  readonly keepAfterFailure?: boolean;
  readonly shutdown: () => Promise<void>;
  readonly kill: () => Promise<void>;
  /** Resolves when no start is under way. */
  readonly startEnded: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long the final state is held out when nobody took it, and after somebody did. */
const UNSEEN_MS = 15_000;
const SEEN_MS = 1_000;
/** Between two requests to a guest that has not begun to shut down. */
const ASK_AGAIN_MS = 5_000;
const KILL_AGAIN_MS = 2_000;

export class Termination {
  readonly #options: TerminationOptions;
  readonly #finished = Promise.withResolvers<number>();
  #final: { readonly exitCode: number } | undefined;
  #cancelWait: () => void = () => {};

  constructor(options: TerminationOptions) {
    this.#options = options;
  }

  /** Resolves with the process's exit code when it is time to leave. */
  get finished(): Promise<number> {
    return this.#finished.promise;
  }

  /** A new answer about the domain. */
  observed(known: DomainKnowledge): void {
    if (!this.#options.runState.started || known.kind === 'unknown') return;
    if (known.kind === 'absent') {
      // virt-handler deleted the domain: it has seen all there was to see.
      if (!this.#isKept()) this.#leave(this.#final?.exitCode ?? 0);
    } else if (!isActive(known.state.state) && this.#final === undefined) {
      this.#final = { exitCode: exitCodeOf(known.state) };
      this.#options.log.info(
        { state: known.state.state, reason: known.state.reason, detail: known.state.exitDetail },
        'the run of the virtual machine is over',
      );
      if (!this.#isKept()) this.#waitThenLeave(UNSEEN_MS);
    }
  }

  /** A watcher's connection took a state. */
  delivered(known: DomainKnowledge): void {
    if (this.#final === undefined || this.#isKept()) return;
    if (known.kind === 'present' && !isActive(known.state.state)) this.#waitThenLeave(SEEN_MS);
  }

  /** The Pod is ending (SIGTERM). Asks the guest to shut down; ends it when the grace period is over. */
  async requested(): Promise<void> {
    const { runState, log, clock, gracePeriodSeconds, kill, startEnded } = this.#options;
    if (runState.terminating) return;
    runState.terminating = true;
    log.info({ gracePeriodSeconds }, 'asked to end');
    await startEnded();
    if (!runState.started || this.#final !== undefined) {
      this.#leave(this.#final?.exitCode ?? 0);
      return;
    }
    clock.after(gracePeriodSeconds * 1000, () =>
      this.#repeat(kill, KILL_AGAIN_MS, 'could not end QEMU, trying again'),
    );
    if (gracePeriodSeconds > 0)
      this.#repeat(
        this.#options.shutdown,
        ASK_AGAIN_MS,
        'the guest could not be asked to shut down, asking again',
      );
  }

  /** Does `task` now and again at the interval, until the run is over. libvirtd may be away in between. */
  #repeat(task: () => Promise<void>, everyMs: number, complaint: string): void {
    if (this.#final !== undefined) return;
    task().catch((error: unknown) => this.#options.log.warn({ error }, complaint));
    this.#options.clock.after(everyMs, () => this.#repeat(task, everyMs, complaint));
  }

  #isKept(): boolean {
    return (
      this.#options.keepAfterFailure === true &&
      this.#final?.exitCode === 1 &&
      !this.#options.runState.terminating
    );
  }

  #waitThenLeave(ms: number): void {
    this.#cancelWait();
    this.#cancelWait = this.#options.clock.after(ms, () => this.#leave(this.#final?.exitCode ?? 0));
  }

  #leave(exitCode: number): void {
    this.#cancelWait();
    this.#finished.resolve(exitCode);
  }
}

/** 0 when the run ended by the guest's or our will, 1 when QEMU or the guest broke. */
export function exitCodeOf({ state, reason }: Pick<DomainState, 'state' | 'reason'>): number {
  return state === 'Crashed' || reason === 'Crashed' || reason === 'Failed' || reason === 'Panicked' ? 1 : 0;
}
