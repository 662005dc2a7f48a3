/** Whoever waits for a device to leave the domain hears of it here. */
import type { DomainEvent } from '@podvisor/libvirt';

export class DeviceRemovals {
  readonly #waiting = new Map<string, Set<() => void>>();

  event(event: DomainEvent): void {
    if (event.kind !== 'deviceRemoved') return;
    for (const tell of this.#waiting.get(event.alias) ?? []) tell();
  }

  /** Resolves with the next removal of a device of this alias; rejects when the signal ends it. */
  wait(alias: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const waiting = this.#waiting.get(alias) ?? new Set();
      this.#waiting.set(alias, waiting);
      const done = (settle: () => void): void => {
        waiting.delete(tell);
        if (waiting.size === 0) this.#waiting.delete(alias);
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const tell = (): void => done(resolve);
      const onAbort = (): void => done(() => reject(signal.reason));
      waiting.add(tell);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
