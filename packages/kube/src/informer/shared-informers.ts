/**
 * One informer per resource for the whole process. A controller that reads whole objects asks with `of`,
 * one that only needs metadata (owners, finalizers) with `metadataOf`, which keeps nothing else in memory
 * unless somebody needs it. Everything can be looked up by the UID of an owner and by namespace.
 */
import { type KubernetesObject, type Pod, saidOwnerUids } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import type { Log } from '../log.ts';
import type { Resource } from '../client/resource.ts';
import { Informer, type InformerOptions, withoutManagedFields } from './informer.ts';
import type { ListWatcher } from './reflector.ts';
import { trimmedPod } from './trimmed-pod.ts';

export interface SharedInformersOptions {
  readonly client: ListWatcher;
  /** Pods are kept as `trimmedPod` makes them; not unless told. */
  readonly trimsPods?: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

interface Entry {
  readonly informer: Informer<KubernetesObject>;
  readonly abort: AbortController;
  readonly metadataOnly: boolean;
}

const INDEXERS = {
  owner: saidOwnerUids,
  uid: (object: KubernetesObject) => (object.metadata?.uid === undefined ? [] : [object.metadata.uid]),
  namespace: (object: KubernetesObject) =>
    object.metadata?.namespace === undefined ? [] : [object.metadata.namespace],
  node: (object: KubernetesObject) => nodeNameOf(object),
};

export class SharedInformers {
  readonly #options: SharedInformersOptions;
  readonly #entries = new Map<string, Entry>();
  #signal: AbortSignal | undefined;

  constructor(options: SharedInformersOptions) {
    this.#options = options;
  }

  /** The informer of whole objects. Ask before `start`, so that nothing is read twice. */
  of<T extends KubernetesObject>(resource: Resource<T>): Informer<T> {
    const key = resourceIdOf(resource);
    const known = this.#entries.get(key);
    if (known?.metadataOnly === true) {
      throw new Error(
        `${key}: whole objects are asked for after metadata; ask before the garbage collector starts`,
      );
    }
    // The map forgets the type of objects; the key of the resource, which carries it, brings it back.
    return (known?.informer ?? this.#add(resource, false)) as unknown as Informer<T>;
  }

  /** An informer whose objects have at least metadata. */
  metadataOf(resource: Resource): Informer<KubernetesObject> {
    return this.#entries.get(resourceIdOf(resource))?.informer ?? this.#add(resource, true);
  }

  /** The resource is served no more. Its objects are forgotten silently: not seen is not deleted. */
  drop(resource: Resource): void {
    this.#entries.get(resourceIdOf(resource))?.abort.abort();
    this.#entries.delete(resourceIdOf(resource));
  }

  has(resource: Resource): boolean {
    return this.#entries.has(resourceIdOf(resource));
  }

  all(): Informer<KubernetesObject>[] {
    return [...this.#entries.values()].map(({ informer }) => informer);
  }

  /** Starts all that were asked for; later ones start at once. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    for (const entry of this.#entries.values()) this.#run(entry, signal);
  }

  async synced(): Promise<void> {
    await Promise.all(this.all().map((informer) => informer.synced()));
  }

  #add(resource: Resource, metadataOnly: boolean): Informer<KubernetesObject> {
    const informer = new Informer<KubernetesObject>({
      ...this.#options,
      resource,
      indexers: INDEXERS,
      ...this.#transformOf(resource, metadataOnly),
    });
    const entry = { informer, abort: new AbortController(), metadataOnly };
    this.#entries.set(resourceIdOf(resource), entry);
    if (this.#signal !== undefined) this.#run(entry, this.#signal);
    return informer;
  }

  #transformOf(
    resource: Resource,
    metadataOnly: boolean,
  ): Pick<InformerOptions<KubernetesObject>, 'transform'> {
    if (metadataOnly) return { transform: metadataAlone };
    if (this.#options.trimsPods !== true || resourceIdOf(resource) !== 'pods') return {};
    return { transform: (pod) => trimmedPod(withoutManagedFields(pod) as Pod) };
  }

  #run({ informer, abort }: Entry, signal: AbortSignal): void {
    informer.start(AbortSignal.any([signal, abort.signal]));
  }
}

/** `plural.group`: versions of one resource share their objects. */
export function resourceIdOf(resource: Resource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

function metadataAlone({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  const { namespace, name, uid, resourceVersion, deletionTimestamp, ownerReferences, finalizers } =
    metadata ?? {};
  return {
    apiVersion,
    kind,
    metadata: { namespace, name, uid, resourceVersion, deletionTimestamp, ownerReferences, finalizers },
  };
}

function nodeNameOf(object: KubernetesObject): readonly string[] {
  if (!('spec' in object) || typeof object.spec !== 'object' || object.spec === null) return [];
  return 'nodeName' in object.spec && typeof object.spec.nodeName === 'string' ? [object.spec.nodeName] : [];
}
