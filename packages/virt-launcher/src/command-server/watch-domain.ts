/** Streams the newest state to each watcher. A slow watcher skips states; it never builds up a backlog. */
import type { launcherMessages } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { DomainKnowledge, DomainObserver } from '../domain/domain-observer.ts';

/** The part of a gRPC response stream that we use. */
export interface EventSink {
  write(message: launcherMessages.DomainEvent, flushed: () => void): boolean;
  onDrain(fn: () => void): void;
  onEnd(fn: () => void): void;
}

/** A line for the VMI's list of events. */
export interface Notice {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Notices that wait for a slow watcher; beyond that the oldest are dropped. */
const MAX_NOTICES = 16;

export class DomainWatchers {
  readonly #observer: DomainObserver;
  readonly #flushListeners = new Set<(known: DomainKnowledge) => void>();
  readonly #watchers = new Set<(notice: Notice) => void>();

  constructor(observer: DomainObserver) {
    this.#observer = observer;
  }

  /** Calls `listener` each time a watcher's connection has taken a state. */
  onDelivered(listener: (known: DomainKnowledge) => void): void {
    this.#flushListeners.add(listener);
  }

  /** Sends a notice to all watchers, with the state of the moment. */
  notify(notice: Notice): void {
    for (const watcher of this.#watchers) watcher(notice);
  }

  add(sink: EventSink): void {
    const notices: Notice[] = [];
    let sent: DomainKnowledge | undefined;
    let blocked = false;
    const send = (): void => {
      while (!blocked) {
        const { known } = this.#observer;
        // Unknown is not told: the watcher keeps the last state it was told until there is news.
        if (known.kind === 'unknown' || (notices.length === 0 && deepEqual(known, sent))) return;
        sent = known;
        const delivered = (): void => {
          for (const listener of this.#flushListeners) listener(known);
        };
        if (sink.write(message(known, notices.shift()), delivered)) continue;
        blocked = true;
        sink.onDrain(() => {
          blocked = false;
          send();
        });
      }
    };
    const take = (notice: Notice): void => {
      if (notices.push(notice) > MAX_NOTICES) notices.shift();
      send();
    };
    this.#watchers.add(take);
    const unsubscribe = this.#observer.subscribe(send);
    sink.onEnd(() => {
      unsubscribe();
      this.#watchers.delete(take);
    });
    send();
  }
}

function message(known: DomainKnowledge, notice: Notice | undefined): launcherMessages.DomainEvent {
  return {
    domain: known.kind === 'present' ? Buffer.from(JSON.stringify(known.state)) : Buffer.alloc(0),
    eventType: notice?.type ?? '',
    eventReason: notice?.reason ?? '',
    eventMessage: notice?.message ?? '',
  };
}
