/** Follows the kinds that nothing acts on yet and tells their objects so. */
import { type Clock, isStatus } from '@podvisor/base';
import {
  Informer,
  keyOf,
  type KubeClient,
  type ListWatcher,
  type Log,
  type ReconcileResult,
  type WorkQueue,
} from '@podvisor/kube';
import type { Recorder } from '../recorder.ts';
import {
  toldStatus,
  UNAVAILABLE_REASON,
  type UnavailableKind,
  type UnavailableObject,
  unavailableKinds,
  unavailableMessage,
} from './kinds.ts';

export interface TellerOptions {
  readonly client: ListWatcher & Pick<KubeClient, 'patch'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly log: Log;
  /** Keys are `<plural>:<namespace>/<name>`. */
  readonly queue: WorkQueue;
}

/** Kinds without a status are told by an event, when they are new: later restarts do not repeat it. */
const NEW_MS = 60_000;

export class UnavailableTeller {
  readonly #options: TellerOptions;
  readonly #informers = new Map<
    string,
    { readonly kind: UnavailableKind; readonly informer: Informer<UnavailableObject> }
  >();

  constructor(options: TellerOptions) {
    this.#options = options;
    const { client, log, queue } = options;
    for (const kind of unavailableKinds) {
      const { resource } = kind;
      const informer = new Informer({ client, log, resource, transform: (object) => withoutSpec(object) });
      const changed = (object: UnavailableObject): void => queue.add(`${resource.plural}:${keyOf(object)}`);
      informer.on({ add: changed });
      this.#informers.set(resource.plural, { kind, informer });
    }
  }

  /** A cluster may not serve all of these kinds: nobody waits for them. */
  start(signal: AbortSignal): void {
    for (const { informer } of this.#informers.values()) informer.start(signal);
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, clock, recorder } = this.#options;
    const [plural = '', objectKey = ''] = key.split(':');
    const followed = this.#informers.get(plural);
    const object = followed?.informer.get(objectKey);
    if (followed === undefined || object === undefined || object.metadata?.deletionTimestamp !== undefined)
      return;
    const { kind } = followed;
    const status = toldStatus(kind, object, clock.now());
    const isNew = clock.now() - Date.parse(object.metadata?.creationTimestamp ?? '') < NEW_MS;
    if (status !== undefined) {
      try {
        const { namespace, name = '' } = object.metadata ?? {};
        const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
        await client.patch(kind.resource, { namespace, name }, patch, signal);
      } catch (error) {
        if (isStatus(error, 'NotFound')) return;
        throw error;
      }
    }
    if (status !== undefined || (kind.conditions === undefined && isNew)) {
      recorder.event(object, 'Warning', UNAVAILABLE_REASON, unavailableMessage(kind));
    }
  }
}

/** Only the status is looked at. */
function withoutSpec(object: UnavailableObject): UnavailableObject {
  const { apiVersion, kind, metadata, status } = object;
  return { apiVersion, kind, metadata, status };
}
