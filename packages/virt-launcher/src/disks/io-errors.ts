/**
 * A disk that cannot be written stops the guest (error policy `stop`): nothing is lost, the write is tried again when
 * the guest goes on. Remembers which disk it was, and lets the guest go on when there is room again. Free space tells
 * nobody, so while a guest stands still for it, and only then, it is looked at: after 10 s, then ever more rarely.
 */
import { statfsSync } from 'node:fs';
import { backoffMs, type Clock, messageOf } from '@podvisor/base';
import type { DomainEvent } from '@podvisor/libvirt';
import type { DiskTrouble } from '@podvisor/api';
import type { DomainKnowledge } from '../domain/domain-observer.ts';
import type { Log } from '../log.ts';

const PATIENCE = { firstMs: 10_000, maxMs: 180_000 };
/** Less is not worth waking the guest for. */
const ENOUGH_BYTES = 1024 * 1024;
const USER_ALIAS = 'ua-';

export interface IoErrorsOptions {
  /** Lets the guest go on; throws when it must not. */
  readonly resume: () => Promise<void>;
  readonly isUserPaused: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Free bytes of the file system of a file; undefined when it cannot be told. */
  readonly freeBytes?: (path: string) => number | undefined;
}

export class IoErrors {
  readonly #options: IoErrorsOptions;
  readonly #disks = new Map<string, { readonly trouble: DiskTrouble; readonly path: string }>();
  #attempts = 0;
  #cancel: (() => void) | undefined;

  constructor(options: IoErrorsOptions) {
    this.#options = options;
  }

  /** Disks that stopped the guest; empty while it runs. */
  get troubles(): readonly DiskTrouble[] {
    return [...this.#disks.values()].map(({ trouble }) => trouble);
  }

  event(event: DomainEvent): void {
    if (event.kind !== 'ioError' || !event.alias.startsWith(USER_ALIAS)) return;
    const volume = event.alias.slice(USER_ALIAS.length);
    const trouble = {
      volume,
      reason: event.reason === 'enospc' ? ('no-space' as const) : ('error' as const),
    };
    this.#disks.set(volume, { trouble, path: event.path });
  }

  observed(known: DomainKnowledge): void {
    if (known.kind !== 'present') return;
    const { state, reason } = known.state;
    if (state === 'Paused' && reason === 'PausedIOError') return this.#wait();
    if (state === 'Running' || !['Paused', 'Blocked'].includes(state)) this.#forget();
  }

  #forget(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#attempts = 0;
    this.#disks.clear();
  }

  #wait(): void {
    if (this.#cancel !== undefined) return;
    this.#attempts += 1;
    this.#cancel = this.#options.clock.after(backoffMs(this.#attempts, PATIENCE), () => {
      this.#cancel = undefined;
      void this.#tryAgain();
    });
  }

  async #tryAgain(): Promise<void> {
    const { resume, isUserPaused, log, freeBytes = freeSpace } = this.#options;
    if (isUserPaused()) return;
    const full = [...this.#disks.values()].find(
      ({ trouble, path }) =>
        trouble.reason === 'no-space' && (freeBytes(path) ?? ENOUGH_BYTES) < ENOUGH_BYTES,
    );
    try {
      if (full === undefined) await resume();
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'the guest cannot go on yet');
    }
    // Still standing still: whoever observes that it runs forgets it.
    if (this.#disks.size > 0) this.#wait();
  }
}

function freeSpace(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined; // a device, or out of reach: the guest's own attempt shows
  }
}
