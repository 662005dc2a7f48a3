/**
 * Makes and deletes the Pods of a workload, with events, and remembers what the cache does not show yet.
 * Creations go in growing batches: a namespace that refuses the first Pod is not asked a hundred times.
 */
import {
  controllerKey,
  controllerOf,
  foundController,
  type Pod,
  withOwner,
  withoutOwner,
  isPodEnded,
} from '@podvisor/api';
import { type Clock, isStatus, messageOf } from '@podvisor/base';
import {
  EventRecorder,
  Expectations,
  type Informer,
  type KubeClient,
  keyOf,
  type Log,
  type Resource,
  resources,
  type Wake,
} from '@podvisor/kube';
import { claim, controlledBy } from './ownership.ts';
import type { Workload } from './types.ts';

export interface PodControlOptions<T extends Workload> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly owners: Informer<T>;
  readonly pods: Informer<Pod>;
  /** Name in events, such as `replicaset-controller`. */
  readonly component: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whose Pods are whose, as the cache has it. */
export interface OwnedPods {
  /** The owner's, with those to be adopted. */
  readonly pods: readonly Pod[];
  readonly adopt: readonly Pod[];
  readonly release: readonly Pod[];
}

export class PodControl<T extends Workload> {
  readonly events: EventRecorder;
  readonly #options: PodControlOptions<T>;
  readonly #expectations: Expectations;

  constructor(options: PodControlOptions<T>) {
    this.#options = options;
    const { client, component, clock, log } = options;
    this.#expectations = new Expectations(clock);
    this.events = new EventRecorder({ client, component, clock, log });
  }

  /** False while the cache does not show all that we did to this owner's Pods. */
  isUpToDate(owner: T): boolean {
    return this.#expectations.satisfied(owner.metadata.uid ?? '');
  }

  /** The owner's Pods and those that its selector makes its own. Reads the cache only. */
  owned(owner: T): OwnedPods {
    const candidates = this.#options.pods.byIndex('namespace', owner.metadata.namespace ?? '');
    const { owned, adopt, release } = claim(this.#options.resource, owner, owner.spec.selector, candidates);
    const adopted = adopt.filter((pod) => !isPodEnded(pod));
    return { pods: [...owned, ...adopted], adopt: adopted, release };
  }

  /** Writes down whose they are. What is done to the Pods afterwards is done to the owner's own. */
  async claim(owner: T, { adopt, release }: OwnedPods, signal: AbortSignal): Promise<void> {
    const { client, resource } = this.#options;
    for (const pod of adopt) {
      const ownerReferences = withOwner(pod, controlledBy(resource, owner));
      const body = { metadata: { uid: pod.metadata.uid, ownerReferences } };
      await client.patch(resources.pods, nameOf(pod), { type: 'merge', body }, signal);
    }
    for (const pod of release) {
      const body = { metadata: { uid: pod.metadata.uid, ownerReferences: withoutOwner(pod, owner) } };
      await client.patch(resources.pods, nameOf(pod), { type: 'merge', body }, signal);
    }
  }

  /** Creates the Pods; throws the first refusal after the batch that it came in. */
  async create(owner: T, wanted: readonly Pod[], signal: AbortSignal): Promise<void> {
    const uid = owner.metadata.uid ?? '';
    let size = 1;
    for (let from = 0; from < wanted.length; from += size, size *= 2) {
      const batch = wanted.slice(from, from + size);
      this.#expectations.expectCreations(uid, batch.length);
      const results = await Promise.allSettled(batch.map((pod) => this.#createOne(owner, pod, signal)));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
  }

  async delete(owner: T, unwanted: readonly Pod[], signal: AbortSignal): Promise<void> {
    if (unwanted.length === 0) return;
    const uid = owner.metadata.uid ?? '';
    this.#expectations.expectDeletions(
      uid,
      unwanted.map(({ metadata }) => metadata.uid ?? ''),
    );
    const results = await Promise.allSettled(unwanted.map((pod) => this.#deleteOne(owner, pod, signal)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #createOne(owner: T, pod: Pod, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    try {
      const made = await client.create(resources.pods, pod, {}, signal);
      this.events.event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${made.metadata.name}`);
    } catch (error) {
      this.#expectations.creationObserved(owner.metadata.uid ?? '');
      // The namespace ends: nothing that a person could do.
      if (isStatus(error, 'Forbidden') && messageOf(error).includes('being terminated')) return;
      if (isStatus(error, 'AlreadyExists')) return;
      this.events.event(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      throw error;
    }
  }

  async #deleteOne(owner: T, pod: Pod, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const uid = pod.metadata.uid ?? '';
    try {
      await client.delete(resources.pods, nameOf(pod), { preconditions: { uid } }, signal);
      this.events.event(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    } catch (error) {
      this.#expectations.deletionObserved(owner.metadata.uid ?? '', uid);
      if (isStatus(error, 'NotFound') || isStatus(error, 'Conflict')) return;
      this.events.event(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Owners are woken by themselves and by their Pods. Call once. */
  connect(wake: Wake): void {
    const { owners, pods, resource } = this.#options;
    const look = (owner: T): void => wake(keyOf(owner));
    owners.on({
      add: look,
      update: look,
      delete: (owner) => {
        this.#expectations.forget(owner.metadata.uid ?? '');
        look(owner);
      },
    });
    pods.on({
      add: (pod) => {
        this.#expectations.creationObserved(this.#ownerUid(pod));
        this.#wakeOwner(wake, pod);
      },
      update: (pod, old) => {
        // A deletion counts as soon as it began.
        if (pod.metadata.deletionTimestamp !== undefined) this.#observeDeletion(pod);
        this.#wakeOwner(wake, pod);
        if (controllerKey(old, resource) !== controllerKey(pod, resource)) this.#wakeOwner(wake, old);
      },
      delete: (pod) => {
        this.#observeDeletion(pod);
        this.#wakeOwner(wake, pod);
      },
    });
  }

  #observeDeletion(pod: Pod): void {
    this.#expectations.deletionObserved(this.#ownerUid(pod), pod.metadata.uid ?? '');
  }

  /** Of the owner that the Pod names whole; empty, which nobody expects, for what it only says. */
  #ownerUid(pod: Pod): string {
    const { owners, resource } = this.#options;
    return foundController(pod, resource, (key) => owners.get(key))?.metadata.uid ?? '';
  }

  #wakeOwner(wake: Wake, pod: Pod): void {
    const { owners, resource } = this.#options;
    const key = controllerKey(pod, resource);
    if (key !== undefined) wake(key);
    if (controllerOf(pod) !== undefined) return;
    // Nobody's: whoever selects it may want it.
    for (const owner of owners.byIndex('namespace', pod.metadata.namespace ?? ''))
      if (claim(resource, owner, owner.spec.selector, [pod]).adopt.length > 0) wake(keyOf(owner));
  }
}

function nameOf({ metadata: { namespace, name = '' } }: Pod): { namespace?: string; name: string } {
  return { namespace, name };
}
