/**
 * Which virt-handlers are silent. Times in a Lease are another machine's clock, so they are only compared
 * with each other: a handler is silent when WE have seen no renewal for the timeout. After our own restart
 * every handler gets the full timeout again.
 */
import type { Lease } from '@podvisor/api';
import type { Clock } from '@podvisor/base';

const TIMEOUT_MS = 5 * 60_000;
const PREFIX = 'virt-handler-';

/** The node whose virt-handler holds this Lease; undefined for other Leases. */
export function nodeOfLease(lease: Lease): string | undefined {
  const name = lease.metadata?.name ?? '';
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

export class HandlerLiveness {
  readonly #clock: Clock;
  readonly #listeners: ((nodeName: string) => void)[] = [];
  readonly #seen = new Map<string, { readonly renewTime: string | undefined; readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls with each node whose guests are to be looked at, because its handler is silent. */
  onSilent(listener: (nodeName: string) => void): void {
    this.#listeners.push(listener);
  }

  tellSilent(nodeName: string): void {
    for (const listener of this.#listeners) listener(nodeName);
  }

  observe(nodeName: string, renewTime: string | undefined): void {
    if (this.#seen.get(nodeName)?.renewTime === renewTime && this.#seen.has(nodeName)) return;
    this.#seen.set(nodeName, { renewTime, atMs: this.#clock.elapsed() });
  }

  forget(nodeName: string): void {
    this.#seen.delete(nodeName);
  }

  /** Milliseconds until the handler counts as silent; 0 when it does. Undefined: never heard of. */
  leftMs(nodeName: string): number | undefined {
    const seen = this.#seen.get(nodeName);
    return seen === undefined ? undefined : Math.max(0, seen.atMs + TIMEOUT_MS - this.#clock.elapsed());
  }

  /** A handler that was never heard of is unknown, not silent. */
  isSilent(nodeName: string): boolean {
    return this.leftMs(nodeName) === 0;
  }
}
