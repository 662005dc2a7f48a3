/**
 * The served resources, followed through changes of CRDs and APIServices, with a metadata informer for
 * each. Two watched objects replace any polling of discovery.
 */
import type { KubernetesObject } from '@podvisor/api';
import { type Clock, messageOf } from '@podvisor/base';
import {
  defineResource,
  resourceIdOf,
  type Informer,
  type KubeClient,
  type Log,
  type Resource,
  resources,
  type SharedInformers,
} from '@podvisor/kube';
import { discover } from './discovery.ts';

/** Not followed: nothing owns them or is owned by them, and they are many or are never stored. */
const IGNORED = new Set(['events', 'events.events.k8s.io', 'bindings', 'componentstatuses']);
/** CRDs come in bunches; one look after the last of them is enough. */
const SETTLE_MS = 100;
const RETRY_MS = 5000;

interface ApiService extends KubernetesObject {
  readonly spec?: { readonly group?: string };
}

const apiServices = defineResource<ApiService>(
  'APIService',
  'apiservices',
  'apiregistration.k8s.io/v1',
  'Cluster',
);

/**
 * An aggregated API that stores no objects says so by this annotation: then its absence hides nothing, and
 * a namespace can go while its server is down.
 */
export const STORES_NOTHING = 'podvisor.io/stores-nothing';

export interface ServedResourcesOptions {
  readonly client: Pick<KubeClient, 'request'>;
  readonly informers: SharedInformers;
  readonly clock: Clock;
  readonly log: Log;
}

export class ServedResources {
  readonly #options: ServedResourcesOptions;
  readonly #apiServices: Informer<ApiService>;
  readonly #byKind = new Map<string, Resource>();
  readonly #followed = new Map<string, Resource>();
  readonly #listeners: ((resource: Resource, informer: Informer<KubernetesObject>) => void)[] = [];
  #signal: AbortSignal | undefined;
  #settling = false;

  constructor(options: ServedResourcesOptions) {
    this.#options = options;
    const changed = (): void => this.#changed();
    const crds = options.informers.metadataOf(resources.customResourceDefinitions);
    this.#apiServices = options.informers.of(apiServices);
    crds.on({ add: changed, update: changed, delete: changed });
    this.#apiServices.on({ add: changed, update: changed, delete: changed });
  }

  /** Groups whose servers store nothing. */
  emptyGroups(): ReadonlySet<string> {
    const empty = this.#apiServices
      .list()
      .filter(({ metadata }) => metadata?.annotations?.[STORES_NOTHING] === 'true');
    return new Set(empty.flatMap(({ spec }) => spec?.group ?? []));
  }

  /** Called for every resource that is followed now or later. */
  onResource(listener: (resource: Resource, informer: Informer<KubernetesObject>) => void): void {
    this.#listeners.push(listener);
  }

  /** By `group/kind`; any version of a reference means the same objects. */
  byKind(apiVersion: string, kind: string): Resource | undefined {
    return this.#byKind.get(`${groupOf(apiVersion)}/${kind}`);
  }

  list(): Resource[] {
    return [...this.#followed.values()];
  }

  /** The informers of all followed resources. */
  informers(): { readonly resource: Resource; readonly informer: Informer<KubernetesObject> }[] {
    return this.list().map((resource) => ({
      resource,
      informer: this.#options.informers.metadataOf(resource),
    }));
  }

  /** Looks for the first time, and again on changes until the signal ends. */
  async start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await this.#refresh(signal);
  }

  #changed(): void {
    if (this.#settling || this.#signal === undefined) return;
    this.#settling = true;
    this.#options.clock.after(SETTLE_MS, () => {
      this.#settling = false;
      const signal = this.#signal;
      if (signal === undefined || signal.aborted) return;
      this.#refresh(signal).catch((error: unknown) => {
        if (signal.aborted) return;
        this.#options.log.warn({ error: messageOf(error) }, 'discovery failed, trying again');
        this.#options.clock.after(RETRY_MS, () => this.#changed());
      });
    });
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { client, informers, log, clock } = this.#options;
    const { resources: served, unanswered } = await discover(client, log, this.emptyGroups(), signal);
    const seen = new Set<string>();
    for (const resource of served) {
      if (IGNORED.has(resourceIdOf(resource))) continue;
      seen.add(resourceIdOf(resource));
      if (this.#followed.has(resourceIdOf(resource))) continue;
      this.#followed.set(resourceIdOf(resource), resource);
      this.#byKind.set(`${resource.group}/${resource.kind}`, resource);
      const informer = informers.metadataOf(resource);
      for (const listener of this.#listeners) listener(resource, informer);
    }
    if (unanswered.length > 0) {
      clock.after(RETRY_MS, () => this.#changed());
      return;
    }
    for (const [id, resource] of this.#followed) {
      if (seen.has(id)) continue;
      this.#followed.delete(id);
      this.#byKind.delete(`${resource.group}/${resource.kind}`);
      informers.drop(resource);
    }
  }
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
