/** Streams the newest state to each watcher. A slow watcher skips states; it never builds up a backlog. */
import type { launcherProto } from '@podvisor/api';
import type { DomainKnowledge, DomainObserver } from '../domain-observer.ts';

/** The part of a gRPC response stream that we use. */
export interface EventSink {
  write(message: launcherProto.DomainEvent, flushed: () => void): boolean;
  onDrain(fn: () => void): void;
  onEnd(fn: () => void): void;
}

export class DomainWatchers {
  readonly #observer: DomainObserver;
  readonly #flushListeners = new Set<(known: DomainKnowledge) => void>();

  constructor(observer: DomainObserver) {
    this.#observer = observer;
  }

  /** Calls `listener` each time a watcher's connection has taken a state. */
  onDelivered(listener: (known: DomainKnowledge) => void): void {
    this.#flushListeners.add(listener);
  }

  add(sink: EventSink): void {
    let sent: DomainKnowledge | undefined;
    let blocked = false;
    const send = (): void => {
      const { known } = this.#observer;
      // Unknown is not told: the watcher keeps the last state it was told until there is news.
      if (blocked || known === sent || known.kind === 'unknown') return;
      sent = known;
      const delivered = (): void => {
        for (const listener of this.#flushListeners) listener(known);
      };
      if (sink.write(message(known), delivered)) return;
      blocked = true;
      sink.onDrain(() => {
        blocked = false;
        send();
      });
    };
    sink.onEnd(this.#observer.subscribe(send));
    send();
  }
}

function message(known: DomainKnowledge): launcherProto.DomainEvent {
  const domain = known.kind === 'present' ? Buffer.from(JSON.stringify(known.state)) : Buffer.alloc(0);
  return { domain, eventType: '', eventReason: '', eventMessage: '' };
}
