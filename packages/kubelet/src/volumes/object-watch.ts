/**
 * Hears of changed config maps and secrets, so that volumes follow at once: one watch for each object that a
 * Pod of this node shows, and none for any other, which the API server would refuse. Of each object only its
 * name and version are kept in memory.
 */
import type { KubernetesObject, Pod } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { Informer, type ListWatcher, type Log, type Resource, resources } from '@podvisor/kube';
import { uidOf } from '../pod/types.ts';
import { shownObjects } from './references.ts';

export interface ObjectWatchOptions {
  readonly client: ListWatcher;
  readonly clock: Clock;
  readonly log: Log;
  /** `configmaps/namespace/name` has changed, appeared or gone; or it has just begun to be watched. */
  onChange(object: string): void;
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  configmaps: resources.configMaps,
  secrets: resources.secrets,
};

export class ObjectWatch {
  readonly #options: ObjectWatchOptions;
  /** What each Pod shows, by the Pod's UID. */
  readonly #shown = new Map<string, ReadonlySet<string>>();
  readonly #watches = new Map<string, AbortController>();
  #isClosed = false;

  constructor(options: ObjectWatchOptions) {
    this.#options = options;
  }

  podChanged(pod: Pod): void {
    const shown = shownObjects(pod);
    if (shown.size === 0 || this.#isClosed) return;
    this.#shown.set(uidOf(pod), shown);
    for (const object of shown) if (!this.#watches.has(object)) this.#watch(object);
  }

  podGone(pod: Pod): void {
    const former = this.#shown.get(uidOf(pod));
    if (former === undefined) return;
    this.#shown.delete(uidOf(pod));
    const needed = [...this.#shown.values()];
    for (const object of former) {
      if (needed.some((shown) => shown.has(object))) continue;
      this.#watches.get(object)?.abort();
      this.#watches.delete(object);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const watch of this.#watches.values()) watch.abort();
  }

  #watch(object: string): void {
    const [plural = '', namespace = '', name = ''] = object.split('/');
    const resource = RESOURCES[plural];
    if (resource === undefined) return;
    const { client, clock, log } = this.#options;
    const ending = new AbortController();
    this.#watches.set(object, ending);
    const informer = new Informer<KubernetesObject>({
      client,
      clock,
      log,
      resource,
      namespace,
      fieldSelector: `metadata.name=${name}`,
      transform: nameAndVersion,
    });
    const tell = (): void => this.#options.onChange(object);
    // The Pod may have read the object before the watch began: also the first sight of it is news.
    informer.on({ add: tell, update: tell, delete: tell });
    informer.start(ending.signal);
  }
}

function nameAndVersion({
  metadata: { namespace, name, uid, resourceVersion } = {},
}: KubernetesObject): KubernetesObject {
  return { metadata: { namespace, name, uid, resourceVersion } };
}
