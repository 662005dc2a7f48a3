/**
 * How long operations take from one handoff to the next: a histogram by operation and handoff, and since when each
 * operation that is under way waits. Bounded: names of VMs are labels only while their operation is under way.
 */
import { HANDOFF_METRICS as M } from '@podvisor/api';
import type { EndedOperation } from '../trace/operation-spans.ts';
import { type Clock, Histogram, Meter, type MetricFamily } from '@podvisor/base';
import { MIGRATION_PHASES } from '../watch/migration/status.ts';

/** The handoffs of each operation, in their order; those of a migration are the phases that it may go through. */
const HANDOFFS = {
  start: [
    'pod-created',
    'pod-running',
    'launcher-ready',
    'scheduled',
    'network-ready',
    'launcher-asked',
    'domain-running',
    'running',
  ],
  stop: ['guest-ended', 'pod-gone', 'vmi-gone'],
  migration: MIGRATION_PHASES,
  plug: ['attached', 'mounted', 'ready'],
  snapshot: ['in-progress', 'content-made', 'ready'],
} as const;
export type Operation = keyof typeof HANDOFFS;
const OPERATIONS = Object.keys(HANDOFFS) as readonly Operation[];

/** Whose operation it is: `namespace` and `name` of the VMI, or of the snapshot. */
export interface Subject {
  readonly namespace: string;
  readonly name: string;
}

interface UnderWay {
  readonly operation: Operation;
  readonly subject: Subject;
  readonly beganMs: number;
  lastMs: number;
  awaited: string;
  readonly handoffs: { readonly name: string; readonly atMs: number }[];
}

const BOUNDS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

export class OperationTimes {
  readonly #clock: Clock;
  readonly #onEnded: ((ended: EndedOperation) => void) | undefined;
  readonly #durations = new Histogram(M.handoffDurationSeconds, BOUNDS_SECONDS);
  readonly #totals = new Histogram(M.operationDurationSeconds, BOUNDS_SECONDS);
  readonly #ended = new Meter(M.operationsTotal);
  readonly #underWay = new Map<string, UnderWay>();

  /** `onEnded` hears of every operation that succeeded or failed; without it handoffs are not kept. */
  constructor(clock: Clock, onEnded?: (ended: EndedOperation) => void) {
    this.#clock = clock;
    this.#onEnded = onEnded;
    // From 0 on: of a number that is first seen as 3, Prometheus would say that it has not grown.
    for (const operation of OPERATIONS) {
      for (const result of ['succeeded', 'failed']) this.#ended.add({ operation, result }, 0);
      this.#totals.announce({ operation });
      for (const handoff of HANDOFFS[operation]) this.#durations.announce({ operation, handoff });
    }
  }

  /** The operation begins now and waits for the handoff `awaited`. Begun twice, it began the first time. */
  begin(operation: Operation, id: string, subject: Subject, awaited: string): void {
    const key = `${operation}/${id}`;
    if (this.#underWay.has(key)) return;
    const beganMs = this.#clock.now();
    this.#underWay.set(key, {
      operation,
      subject,
      beganMs,
      lastMs: beganMs,
      awaited,
      handoffs: [],
    });
  }

  /** A handoff happened, now or at `atMs`; the next one is `awaited`. Nothing when the operation did not begin here. */
  reached(
    operation: Operation,
    id: string,
    handoff: string,
    awaited: string,
    atMs = this.#clock.now(),
  ): void {
    const found = this.#underWay.get(`${operation}/${id}`);
    if (found === undefined) return;
    // Clocks of two machines may differ: a handoff before the one before took no time.
    this.#durations.observe({ operation, handoff }, Math.max(0, atMs - found.lastMs) / 1000);
    found.lastMs = Math.max(found.lastMs, atMs);
    found.awaited = awaited;
    if (this.#onEnded !== undefined) found.handoffs.push({ name: handoff, atMs });
  }

  /** The operation is over; `result` is left out when it was given up and counts as nothing. */
  end(operation: Operation, id: string, result?: 'succeeded' | 'failed'): void {
    const key = `${operation}/${id}`;
    const found = this.#underWay.get(key);
    if (found === undefined) return;
    this.#underWay.delete(key);
    if (result === undefined) return;
    this.#ended.add({ operation, result });
    const { subject, beganMs, handoffs } = found;
    const succeeded = result === 'succeeded';
    this.#onEnded?.({ operation, id, ...subject, beganMs, handoffs, succeeded });
    if (succeeded) this.#totals.observe({ operation }, Math.max(0, found.lastMs - found.beganMs) / 1000);
  }

  families(): readonly MetricFamily[] {
    return [
      this.#durations.family(),
      this.#totals.family(),
      this.#ended.family(),
      {
        definition: M.handoffWaitingSinceTimestampSeconds,
        samples: [...this.#underWay.values()].map(({ operation, subject, lastMs, awaited }) => ({
          labels: { operation, handoff: awaited, ...subject },
          value: lastMs / 1000,
        })),
      },
    ];
  }
}
