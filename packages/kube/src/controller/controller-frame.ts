/**
 * The one shape of a controller: `observe` reads what there is, `plan` decides (pure, so tables of observations test
 * it), `apply` carries the plan out. Around it stand the cache whose keys it works on, the indexes it looks things up
 * by, and what wakes a key. A component lists its controllers in one table and runs it; each gets a queue of its own,
 * with metrics.
 *
 * Promised: passes of one key never overlap; a pass that throws comes again, later. Not promised: one pass for each
 * event. Which event woke a key is not known to it.
 */
import type { KubernetesObject } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { type ReconcileResult, runController } from './controller.ts';
import type { Informer, InformerHandler } from '../informer/informer.ts';
import type { Indexers } from '../informer/store.ts';
import type { Log } from '../log.ts';
import type { QueueMetrics } from '../metrics/queue-metrics.ts';
import { keyOf } from '../client/resource.ts';
import { WorkQueue } from './work-queue.ts';

export interface ControllerSteps<O, P> {
  /** What there is about this key; undefined: nothing is to be done. */
  observe(key: string, signal: AbortSignal): O | undefined | Promise<O | undefined>;
  /** Pure. */
  plan(observed: O): P;
  /**
   * For decisions that a cache must not be trusted with: called with every plan; an answer, read from the API itself,
   * takes the place of the observation and is planned again. Undefined: the plan stands.
   */
  prove?(observed: O, plan: P, signal: AbortSignal): Promise<O | undefined>;
  apply(plan: P, observed: O, signal: AbortSignal): Promise<ReconcileResult>;
}

/** Has a key looked at, now or after some time. */
export type Wake = (key: string, afterMs?: number) => void;

export interface ControllerFrame<T extends KubernetesObject, O, P> {
  /** Name in logs and in the queue's metrics. */
  readonly name: string;
  /** Each object that comes, changes or goes wakes its key. Absent: only `wakes` do. */
  readonly resource?: Informer<T>;
  /** Added to the indexes that `resource` has. */
  readonly indexes?: Indexers<T>;
  /** Each is called once, before the caches start, and wakes keys from then on. */
  readonly wakes?: readonly ((wake: Wake) => void)[];
  /** How many keys at once. Default 4. */
  readonly workers?: number;
  readonly steps: ControllerSteps<O, P>;
}

/** A controller as the table holds it. */
export interface TableController {
  readonly name: string;
  readonly workers?: number;
  /** UID of the object of a key, for the log. */
  uidOf?(key: string): string | undefined;
  connect(wake: Wake): void;
  reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult>;
}

/** One row of the table. */
export function controller<T extends KubernetesObject, O, P>(
  frame: ControllerFrame<T, O, P>,
): TableController {
  const { name, resource, indexes, wakes = [], workers, steps } = frame;
  if (indexes !== undefined) resource?.addIndexers(indexes);
  return {
    name,
    workers,
    uidOf: (key) => resource?.get(key)?.metadata?.uid,
    connect: (wake) => {
      if (resource !== undefined) onChange(resource, (object) => [keyOf(object)])(wake);
      for (const connect of wakes) connect(wake);
    },
    reconcile: (key, signal) => runPass(steps, key, signal),
  };
}

/** One pass over one key. */
export async function runPass<O, P>(
  steps: ControllerSteps<O, P>,
  key: string,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const observed = await steps.observe(key, signal);
  if (observed === undefined) return undefined;
  const plan = steps.plan(observed);
  const proven = await steps.prove?.(observed, plan, signal);
  return proven === undefined
    ? steps.apply(plan, observed, signal)
    : steps.apply(steps.plan(proven), proven, signal);
}

/** Something that tells of its objects; an informer, or a cache of a kind that may not be served. */
export interface EventSource<T> {
  on(handler: InformerHandler<T>): unknown;
}

/** Wakes the keys that an object stands for whenever it comes, changes or goes, or at some of these alone. */
export function onChange<T>(
  source: EventSource<T>,
  keysOf: (object: T) => Iterable<string>,
  events: readonly ('add' | 'update' | 'delete')[] = ['add', 'update', 'delete'],
): (wake: Wake) => void {
  return (wake) => {
    const changed = (object: T): void => {
      for (const key of keysOf(object)) wake(key);
    };
    source.on(Object.fromEntries(events.map((event) => [event, changed])));
  };
}

export interface TableOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Before the controllers' names in metrics, such as `virt-controller-`. */
  readonly prefix?: string;
  readonly metrics?: QueueMetrics;
}

/**
 * Connects every row to its events. Call before the caches start; the returned function runs the controllers until
 * the signal ends them, and is called when the caches are filled.
 */
export function controllerTable(
  rows: readonly TableController[],
  { clock, log, prefix = '', metrics }: TableOptions,
): (signal: AbortSignal) => Promise<void> {
  const running = rows.map(({ name, workers, uidOf, connect, reconcile }) => {
    const queue = new WorkQueue({ clock, observer: metrics?.observer(`${prefix}${name}`) });
    connect((key, afterMs) => (afterMs === undefined ? queue.add(key) : queue.addAfter(key, afterMs)));
    return { name, workers, uidOf, log, queue, reconcile };
  });
  return async (signal) => {
    await Promise.all(running.map((row) => runController(row, signal)));
  };
}
