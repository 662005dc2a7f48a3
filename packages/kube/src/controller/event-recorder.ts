/**
 * Kubernetes events about objects. An event tells of a change: the same words about the same object are
 * written once, and later repeats only raise its count, at most once in `repeatEveryMs`; about one object a bounded
 * number is written (event-allowance.ts). Events are best effort: they never delay or fail the work they tell of.
 */
import type { KubernetesObject, ObjectReference } from '@podvisor/api';
import { type Clock, isStatus, messageOf, rfc3339, systemClock } from '@podvisor/base';
import type { KubeClient } from '../client/client.ts';
import { type Log, stderrLog } from '../log.ts';
import { defineResource } from '../client/resource.ts';
import { EventAllowance } from './event-allowance.ts';

export type EventType = 'Normal' | 'Warning';

interface CoreEvent extends KubernetesObject {
  readonly involvedObject: ObjectReference;
  readonly reason: string;
  readonly message: string;
  readonly type: EventType;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly source: { readonly component: string; readonly host?: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

const events = defineResource<CoreEvent>('Event', 'events', 'v1');

export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly component: string;
  /** Node that the component runs on, for node agents. */
  readonly host?: string;
  readonly clock?: Clock;
  readonly log?: Log;
  /** How often the count of a repeated event is written. Default 5 minutes. */
  readonly repeatEveryMs?: number;
}

interface Remembered {
  readonly name: string;
  readonly namespace: string;
  count: number;
  writtenAt: number;
}

/** Events that are remembered for aggregation, and events on their way. */
const MAX_REMEMBERED = 4096;
const MAX_PENDING = 256;
const MAX_MESSAGE_LENGTH = 1024;

export class EventRecorder {
  readonly #options: Required<Omit<EventRecorderOptions, 'host'>> & { readonly host?: string };
  readonly #remembered = new Map<string, Remembered>();
  readonly #pending = new Set<Promise<void>>();
  readonly #allowance: EventAllowance;
  #serial = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = { clock: systemClock, log: stderrLog, repeatEveryMs: 300_000, ...options };
    this.#allowance = new EventAllowance(this.#options.clock);
  }

  /** Tells of `object`. Returns at once. */
  event(object: KubernetesObject | ObjectReference, type: EventType, reason: string, message: string): void {
    const about = referenceTo(object);
    const text = message.slice(0, MAX_MESSAGE_LENGTH);
    const id = [about.kind, about.namespace, about.name, about.uid, type, reason, text].join('\n');
    const now = this.#options.clock.now();
    const known = this.#remembered.get(id);
    if (known === undefined) {
      if (this.#allowance.take(`${about.kind} ${about.namespace} ${about.name} ${about.uid}`))
        this.#send(() => this.#create(id, about, type, reason, text, now));
      return;
    }
    known.count += 1;
    if (now - known.writtenAt < this.#options.repeatEveryMs) return;
    known.writtenAt = now;
    this.#send(() => this.#raise(id, known, now));
  }

  /** Resolves when everything told so far is written or given up. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #send(write: () => Promise<unknown>): void {
    if (this.#pending.size >= MAX_PENDING) {
      this.#options.log.warn({ pending: this.#pending.size }, 'too many events on their way, one dropped');
      return;
    }
    const sending: Promise<void> = write()
      .then(
        () => undefined,
        (error: unknown) => this.#options.log.warn({ error: messageOf(error) }, 'event could not be written'),
      )
      .finally(() => this.#pending.delete(sending));
    this.#pending.add(sending);
  }

  #create(
    id: string,
    about: ObjectReference,
    type: EventType,
    reason: string,
    message: string,
    now: number,
  ): Promise<unknown> {
    const { client, component, host } = this.#options;
    this.#serial += 1;
    const unique = `${now.toString(16)}${this.#serial.toString(16).padStart(4, '0')}${process.pid.toString(16)}`;
    const name = `${about.name ?? ''}.${unique}`;
    const namespace = about.namespace ?? 'default';
    this.#remember(id, { name, namespace, count: 1, writtenAt: now });
    return client.create(events, {
      metadata: { name, namespace },
      involvedObject: about,
      reason,
      message,
      type,
      count: 1,
      firstTimestamp: rfc3339(now),
      lastTimestamp: rfc3339(now),
      source: { component, host },
      reportingComponent: component,
      reportingInstance: host ?? component,
    });
  }

  async #raise(id: string, known: Remembered, now: number): Promise<void> {
    const body = { count: known.count, lastTimestamp: rfc3339(now) };
    try {
      await this.#options.client.patch(events, known, { type: 'merge', body });
    } catch (error) {
      if (!isStatus(error, 'NotFound')) throw error;
      // The server expired it: the next repeat is a new event.
      this.#remembered.delete(id);
    }
  }

  #remember(id: string, event: Remembered): void {
    this.#remembered.set(id, event);
    if (this.#remembered.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#remembered.keys()) {
      this.#remembered.delete(oldest);
      return;
    }
  }
}

function referenceTo(object: KubernetesObject | ObjectReference): ObjectReference {
  if (!('metadata' in object) || object.metadata === undefined) return object;
  const { namespace, name, uid, resourceVersion } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, namespace, name, uid, resourceVersion };
}
