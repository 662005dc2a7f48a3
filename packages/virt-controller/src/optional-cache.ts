/**
 * Objects of a kind that the cluster may or may not serve (DataVolumes, VolumeSnapshots). The CRD may come and go
 * while we run: the cache follows it and has nothing to say while it is absent.
 */
import type { KubernetesObject } from '@podvisor/api';
import { Informer, type ListWatcher, type Log, type Resource, type InformerHandler } from '@podvisor/kube';
import { type Crd, crds } from './resources.ts';

export class OptionalCache<T extends KubernetesObject> {
  readonly #client: ListWatcher;
  readonly #log: Log;
  readonly #resource: Resource<T>;
  readonly #crds: Informer<Crd>;
  readonly #handlers: InformerHandler<T>[] = [];
  #current: { readonly informer: Informer<T>; readonly stop: AbortController } | undefined;

  constructor(client: ListWatcher, log: Log, resource: Resource<T>) {
    this.#client = client;
    this.#log = log;
    this.#resource = resource;
    const fieldSelector = `metadata.name=${resource.plural}.${resource.group}`;
    this.#crds = new Informer({ client, log, resource: crds, fieldSelector });
  }

  /** The handler hears of every object that appears, changes or goes. Call before `start`. */
  on(handler: InformerHandler<T>): void {
    this.#handlers.push(handler);
  }

  start(signal: AbortSignal): void {
    const follow = (crd: Crd): void => (isEstablished(crd) ? this.#open(signal) : this.#close());
    this.#crds.on({ add: follow, update: follow, delete: () => this.#close() });
    this.#crds.start(signal);
    signal.addEventListener('abort', () => this.#close(), { once: true });
  }

  /** Resolves when it is known whether the kind is served and, if so, which objects there are. */
  async synced(): Promise<void> {
    await this.#crds.synced();
    await this.#current?.informer.synced();
  }

  /** False when the cluster does not serve the kind. */
  get served(): boolean {
    return this.#current !== undefined;
  }

  /** `namespace` is empty where the kind has none. */
  get(namespace: string, name: string): T | undefined {
    return this.#current?.informer.get(namespace === '' ? name : `${namespace}/${name}`);
  }

  list(): readonly T[] {
    return this.#current?.informer.list() ?? [];
  }

  #open(signal: AbortSignal): void {
    if (this.#current !== undefined) return;
    const stop = new AbortController();
    const informer = new Informer({ client: this.#client, log: this.#log, resource: this.#resource });
    for (const handler of this.#handlers) informer.on(handler);
    informer.start(AbortSignal.any([signal, stop.signal]));
    this.#current = { informer, stop };
  }

  #close(): void {
    this.#current?.stop.abort(new Error(`${this.#resource.plural} are not served any more`));
    this.#current = undefined;
  }
}

function isEstablished(crd: Crd): boolean {
  return crd.status?.conditions?.some((c) => c.type === 'Established' && c.status === 'True') ?? false;
}
