/** Follows the kinds that nothing acts on yet and tells their objects so. */
import { type Clock, isStatus } from '@podvisor/base';
import {
  Informer,
  keyOf,
  type KubeClient,
  type ListWatcher,
  type Log,
  type ReconcileResult,
  type ControllerSteps,
  onChange,
  type Wake,
  controller,
  type TableController,
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

export interface UnavailableOptions {
  readonly client: ListWatcher & Pick<KubeClient, 'patch'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly log: Log;
}

/** Kinds without a status are told by an event, when they are new: later restarts do not repeat it. */
const NEW_MS = 60_000;

interface Observation {
  readonly kind: UnavailableKind;
  readonly object: UnavailableObject;
}

interface Plan {
  /** Undefined: it says so already, or there is no place for it. */
  readonly status: UnavailableObject['status'] | undefined;
  readonly tellsByEvent: boolean;
}

/** Keys are `<plural>:<namespace>/<name>`. */
export class UnavailableController implements ControllerSteps<Observation, Plan> {
  readonly #options: UnavailableOptions;
  readonly #informers = new Map<
    string,
    { readonly kind: UnavailableKind; readonly informer: Informer<UnavailableObject> }
  >();

  constructor(options: UnavailableOptions) {
    this.#options = options;
    const { client, log } = options;
    for (const kind of unavailableKinds) {
      const { resource } = kind;
      const informer = new Informer({ client, log, resource, transform: (object) => withoutSpec(object) });
      this.#informers.set(resource.plural, { kind, informer });
    }
  }

  /** New objects wake their keys. */
  connect(wake: Wake): void {
    for (const [plural, { informer }] of this.#informers)
      onChange(informer, (object) => [`${plural}:${keyOf(object)}`], ['add'])(wake);
  }

  /** A cluster may not serve all of these kinds: nobody waits for them. */
  start(signal: AbortSignal): void {
    for (const { informer } of this.#informers.values()) informer.start(signal);
  }

  observe(key: string): Observation | undefined {
    const [plural = '', objectKey = ''] = key.split(':');
    const followed = this.#informers.get(plural);
    const object = followed?.informer.get(objectKey);
    if (followed === undefined || object === undefined || object.metadata?.deletionTimestamp !== undefined)
      return undefined;
    return { kind: followed.kind, object };
  }

  plan({ kind, object }: Observation): Plan {
    const now = this.#options.clock.now();
    const status = toldStatus(kind, object, now);
    const isNew = now - Date.parse(object.metadata?.creationTimestamp ?? '') < NEW_MS;
    return { status, tellsByEvent: status !== undefined || (kind.conditions === undefined && isNew) };
  }

  async apply(
    { status, tellsByEvent }: Plan,
    { kind, object }: Observation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { client, recorder } = this.#options;
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
    if (tellsByEvent) recorder.event(object, 'Warning', UNAVAILABLE_REASON, unavailableMessage(kind));
  }
}

/** Its row in the table. */
export function unavailableRow(steps: UnavailableController): TableController {
  return controller({ name: 'unavailable', workers: 2, wakes: [(wake) => steps.connect(wake)], steps });
}

/** Only the status is looked at. */
function withoutSpec(object: UnavailableObject): UnavailableObject {
  const { apiVersion, kind, metadata, status } = object;
  return { apiVersion, kind, metadata, status };
}
