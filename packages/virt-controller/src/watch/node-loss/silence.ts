import type { Clock } from '@podvisor/base';

interface Heard {
  readonly renewTime: string | undefined;
  readonly atMs: number;
  /** Found when we began to listen: nobody knows how old it was. */
  readonly isFirst: boolean;
}

/**
 * How long nodes have been silent, as this process saw it, by a clock that nobody sets. A renewal
 * counts from when we saw it; its own time is another machine's and only tells renewals apart.
 *
 * When nothing at all was heard for a while, it was probably we who could not hear (the API server was away): then
 * nobody counts as silent, and afterwards every node has its whole time again. What proves nothing and only prepares
 * (`quietMs`) is not begun after half of such a time already.
 */
export class NodeSilence {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #heard = new Map<string, Heard>();
  #anyMs: number | undefined;
  #deafUntilMs = 0;
  #hardOfHearingUntilMs = 0;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** Answers whether that was a new sign of life. */
  observe(node: string, renewTime: string | undefined, silenceMs: number): boolean {
    const known = this.#heard.get(node);
    if (known !== undefined && known.renewTime === renewTime) return false;
    const now = this.#clock.elapsed();
    const unheardMs = now - (this.#anyMs ?? now);
    if (unheardMs > deafAfterMs(silenceMs)) this.#deafUntilMs = now;
    if (unheardMs > deafAfterMs(silenceMs) / 2) this.#hardOfHearingUntilMs = now;
    this.#anyMs = now;
    this.#heard.set(node, { renewTime, atMs: now, isFirst: known === undefined });
    return true;
  }

  /** Undefined: never heard of, or we hear nothing at all. Unknown is not silent. */
  silentMs(node: string, silenceMs: number): number | undefined {
    const known = this.#heard.get(node);
    const now = this.#clock.elapsed();
    if (known === undefined || this.#anyMs === undefined) return undefined;
    if (now - this.#anyMs > deafAfterMs(silenceMs)) return undefined;
    return now - Math.max(known.atMs, this.#deafUntilMs);
  }

  /** The same, of a node of which less is known: undefined also where others were late as well. */
  quietMs(node: string, silenceMs: number): number | undefined {
    const silentMs = this.silentMs(node, silenceMs);
    const now = this.#clock.elapsed();
    if (silentMs === undefined || now - (this.#anyMs ?? now) > deafAfterMs(silenceMs) / 2) return undefined;
    return Math.min(silentMs, now - this.#hardOfHearingUntilMs);
  }

  /**
   * Whether it has renewed before our eyes within that time. What was found when we began may be old, and a time that
   * is given anew is no sign of life either.
   */
  isAlive(node: string, silenceMs: number): boolean {
    const known = this.#heard.get(node);
    return known !== undefined && !known.isFirst && this.#clock.elapsed() - known.atMs < silenceMs;
  }

  /** The last sign of life, which tells this silence from others. */
  renewTime(node: string): string | undefined {
    return this.#heard.get(node)?.renewTime;
  }
}

/** Handlers renew four times in this time: so long a silence of all is ours. */
function deafAfterMs(silenceMs: number): number {
  return (silenceMs * 3) / 4;
}
