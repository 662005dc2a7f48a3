/**
 * How fast a launcher is listened to. What it says is read, parsed and passed on by the process that serves all guests
 * of the node, and a launcher that was taken over may talk without end: after a burst its stream rests, and what it
 * says meanwhile waits on its side.
 */
import type { Clock } from '@podvisor/base';

/** A hundred messages, or a mebibyte, in a second. */
const MESSAGE_MS = 10;
const BYTES_PER_MS = 1024;
/** As much may come at once. */
const BURST_MS = 1_000;

export class ListeningPace {
  readonly #clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly #stream: { pause(): unknown; resume(): unknown };
  #paidUntilMs = 0;
  #cancel: () => void = () => {};

  constructor(clock: Pick<Clock, 'after' | 'elapsed'>, stream: { pause(): unknown; resume(): unknown }) {
    this.#clock = clock;
    this.#stream = stream;
  }

  /** A message came. */
  took(bytes: number): void {
    const nowMs = this.#clock.elapsed();
    this.#paidUntilMs = Math.max(this.#paidUntilMs, nowMs) + Math.max(MESSAGE_MS, bytes / BYTES_PER_MS);
    const restMs = this.#paidUntilMs - nowMs;
    if (restMs < BURST_MS) return;
    this.#stream.pause();
    this.#cancel();
    this.#cancel = this.#clock.after(restMs, () => this.#stream.resume());
  }

  stop(): void {
    this.#cancel();
  }
}
