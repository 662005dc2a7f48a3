/** Follows owner references over everything that is served, and does what `reconcile.ts` decides. */
import { type KubernetesObject, type OwnerReference, saidOwners, saySameOwners } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import {
  resourceIdOf,
  keyOf,
  type KubeClient,
  type Resource,
  splitKey,
  type TableController,
  type Wake,
  ignoreNotFound,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import type { ServedResources } from '../served-resources.ts';
import { type Action, decideCollection, FOREGROUND, ORPHAN, type OwnerState } from './reconcile.ts';

export interface GarbageCollectorOptions extends ControllerOptions {
  readonly served: ServedResources;
}

/** An owner whose kind nobody serves may come back (a CRD that is being replaced). */
const UNKNOWN_RETRY_MS = 30_000;
/** New resources fill their cache within moments. */
const SYNC_RETRY_MS = 200;

/** Runs until the signal ends. */
export function garbageCollector(options: GarbageCollectorOptions): TableController {
  const { served } = options;
  const collector = new Collector(options);
  const connect = (wake: Wake): void => {
    const addOwners = (object: KubernetesObject): void => {
      // A foreground deletion of an owner may be waiting for this one.
      for (const reference of saidOwners(object)) {
        const owner = collector.cachedOwner(reference);
        if (owner !== undefined) wake(queueKey(owner.resource, keyOf(owner.object)));
      }
    };
    served.onResource((resource, informer) => {
      const add = (object: KubernetesObject): void => {
        if (needsLook(object)) wake(queueKey(resource, keyOf(object)));
      };
      informer.on({
        add,
        update: (object, old) => {
          if (!relationsChanged(object, old)) return;
          add(object);
          addOwners(old);
        },
        delete: (object) => {
          for (const { resource: kind, object: dependent } of collector.dependentsOf(object)) {
            wake(queueKey(kind, keyOf(dependent)));
          }
          addOwners(object);
        },
      });
    });
  };
  return {
    name: 'garbage-collector',
    workers: 8,
    connect,
    reconcile: (key, end) => collector.reconcile(key, end),
  };
}

const queueKey = (resource: Resource, key: string): string => `${resourceIdOf(resource)}|${key}`;

function needsLook(object: KubernetesObject): boolean {
  const finalizers = object.metadata?.finalizers ?? [];
  return saidOwners(object).length > 0 || finalizers.includes(FOREGROUND) || finalizers.includes(ORPHAN);
}

/** Status updates are many; only these fields matter here. */
function relationsChanged(object: KubernetesObject, old: KubernetesObject): boolean {
  return !(
    object.metadata?.deletionTimestamp === old.metadata?.deletionTimestamp &&
    saySameOwners(object, old) &&
    deepEqual(object.metadata?.finalizers, old.metadata?.finalizers)
  );
}

interface Located {
  readonly resource: Resource;
  readonly object: KubernetesObject;
}

class Collector {
  readonly #client: KubeClient;
  readonly #served: ServedResources;

  constructor({ client, served }: GarbageCollectorOptions) {
    this.#client = client;
    this.#served = served;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<{ requeueAfterMs?: number } | void> {
    const bar = key.indexOf('|');
    const found = this.#served
      .informers()
      .find(({ resource }) => resourceIdOf(resource) === key.slice(0, bar));
    const object = found?.informer.get(key.slice(bar + 1));
    if (found === undefined || object === undefined) return;
    // Without all caches full "no dependents" proves nothing, and a finalizer must stay.
    if (object.metadata?.deletionTimestamp !== undefined && !this.#allSynced())
      return { requeueAfterMs: SYNC_RETRY_MS };
    const owners = await Promise.all(
      saidOwners(object).map(async (reference) => ({
        reference,
        state: await this.#stateOf(reference, object, signal),
      })),
    );
    const dependents = this.dependentsOf(object);
    const action = decideCollection(
      object,
      owners,
      dependents.map(({ object: dependent }) => dependent),
    );
    await this.#apply({ resource: found.resource, object }, action, dependents, signal);
    return owners.some(({ state }) => state.kind === 'unknown')
      ? { requeueAfterMs: UNKNOWN_RETRY_MS }
      : undefined;
  }

  #allSynced(): boolean {
    return this.#served.informers().every(({ informer }) => informer.hasSynced);
  }

  dependentsOf(object: KubernetesObject): Located[] {
    const uid = object.metadata?.uid;
    if (uid === undefined) return [];
    return this.#served
      .informers()
      .flatMap(({ resource, informer }) =>
        informer.byIndex('owner', uid).map((dependent) => ({ resource, object: dependent })),
      );
  }

  cachedOwner(reference: OwnerReference): Located | undefined {
    const resource = this.#served.byKind(reference.apiVersion, reference.kind);
    if (resource === undefined) return undefined;
    const informer = this.#served
      .informers()
      .find((entry) => resourceIdOf(entry.resource) === resourceIdOf(resource))?.informer;
    const [object] = informer?.byIndex('uid', reference.uid) ?? [];
    return object === undefined ? undefined : { resource, object };
  }

  /** The cache proves presence; only the server proves absence. */
  async #stateOf(
    reference: OwnerReference,
    dependent: KubernetesObject,
    signal: AbortSignal,
  ): Promise<OwnerState> {
    const resource = this.#served.byKind(reference.apiVersion, reference.kind);
    if (resource === undefined) return { kind: 'unknown' };
    const cached = this.cachedOwner(reference)?.object;
    if (cached !== undefined) return ofLiving(cached);
    const namespace = resource.namespaced ? dependent.metadata?.namespace : undefined;
    // A cluster-scoped object cannot be owned by a namespaced one: the reference means nothing, so it proves nothing.
    if (resource.namespaced && namespace === undefined) return { kind: 'unknown' };
    const live = await this.#client.find(resource, { namespace, name: reference.name }, signal);
    return live === undefined || live.metadata?.uid !== reference.uid ? { kind: 'absent' } : ofLiving(live);
  }

  async #apply(
    { resource, object }: Located,
    action: Action,
    dependents: readonly Located[],
    signal: AbortSignal,
  ): Promise<void> {
    switch (action.kind) {
      case 'none':
        return;
      case 'delete':
        return this.#delete(resource, object, action.policy, signal);
      case 'drop-owners':
        return this.#dropOwners(resource, object, action.uids, signal);
      case 'remove-finalizer':
        return this.#removeFinalizer(resource, object, action.finalizer, signal);
      case 'delete-dependents':
        for (const dependent of dependents) {
          if (
            !action.dependents.includes(dependent.object) ||
            dependent.object.metadata?.deletionTimestamp !== undefined
          )
            continue;
          const policy = this.dependentsOf(dependent.object).length > 0 ? 'Foreground' : 'Background';
          await this.#delete(dependent.resource, dependent.object, policy, signal);
        }
        return;
      case 'orphan-dependents':
        for (const dependent of dependents) {
          if (!action.dependents.includes(dependent.object)) continue;
          await this.#dropOwners(dependent.resource, dependent.object, [object.metadata?.uid ?? ''], signal);
        }
        return this.#removeFinalizer(resource, object, ORPHAN, signal);
    }
  }

  async #delete(
    resource: Resource,
    object: KubernetesObject,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
    signal: AbortSignal,
  ): Promise<void> {
    const uid = object.metadata?.uid;
    await ignoreNotFound(
      this.#client.delete(
        resource,
        splitKey(keyOf(object)),
        { propagationPolicy, preconditions: { uid } },
        signal,
      ),
    );
  }

  /** Guarded by the version: the reference may have changed since the cache saw it. */
  async #dropOwners(
    resource: Resource,
    object: KubernetesObject,
    uids: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { uid, resourceVersion } = object.metadata ?? {};
    const body = {
      metadata: {
        uid,
        resourceVersion,
        ownerReferences: saidOwners(object).filter((reference) => !uids.includes(reference.uid)),
      },
    };
    await ignoreNotFound(
      this.#client.patch(resource, splitKey(keyOf(object)), { type: 'merge', body }, signal),
    );
  }

  async #removeFinalizer(
    resource: Resource,
    object: KubernetesObject,
    finalizer: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { uid, resourceVersion, finalizers = [] } = object.metadata ?? {};
    const body = {
      metadata: { uid, resourceVersion, finalizers: finalizers.filter((name) => name !== finalizer) },
    };
    await ignoreNotFound(
      this.#client.patch(resource, splitKey(keyOf(object)), { type: 'merge', body }, signal),
    );
  }
}

function ofLiving(owner: KubernetesObject): OwnerState {
  const waits =
    owner.metadata?.deletionTimestamp !== undefined &&
    owner.metadata.finalizers?.includes(FOREGROUND) === true;
  return { kind: waits ? 'waiting' : 'present' };
}
