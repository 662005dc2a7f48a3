/** The cluster's DNS: names from the informers' caches, at the service address that Pods and guests ask. */
import type { EndpointSlice, Namespace, Pod, Service } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { type Informer, type Log, resources, type SharedInformers } from '@podvisor/kube';
import { isHeadless, SERVICE_NAME, serviceResources } from '../services/types.ts';
import { forwarderTo, hostResolvers } from './forward.ts';
import { resolve } from './resolve.ts';
import { type DnsServer, startDnsServer } from './server.ts';
import type { ZoneObjects } from './zone.ts';

export interface ClusterDnsOptions {
  readonly informers: SharedInformers;
  /** One for each family that Pods have. */
  readonly addresses: readonly string[];
  /** 0 takes a free one. */
  readonly port: number;
  readonly log: Log;
}

export class ClusterDns implements ZoneObjects {
  readonly #options: ClusterDnsOptions;
  readonly #services: Informer<Service>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #pods: Informer<Pod>;
  readonly #namespaces: Informer<Namespace>;

  /** Asks for its informers; whoever owns them starts them afterwards. */
  constructor(options: ClusterDnsOptions) {
    this.#options = options;
    const { informers } = options;
    this.#services = informers.of(serviceResources.services);
    this.#slices = informers.of(serviceResources.endpointSlices);
    this.#pods = informers.of(resources.pods);
    this.#namespaces = informers.of(resources.namespaces);
  }

  /**
   * Resolves when it listens, with full caches: "no such name" must mean it. Undefined when somebody else has
   * the port on all addresses of the machine: the cluster works on without names, and its log says so.
   */
  async start(): Promise<DnsServer | undefined> {
    const { addresses } = this.#options;
    await Promise.all([this.#services, this.#slices, this.#pods, this.#namespaces].map((i) => i.synced()));
    const servers = await Promise.all(addresses.map((address) => this.#listen(address)));
    const [first] = servers;
    if (first === undefined) return undefined;
    const close = async (): Promise<void> =>
      void (await Promise.all(servers.map((server) => server?.close())));
    return { port: first.port, close };
  }

  async #listen(address: string): Promise<DnsServer | undefined> {
    const { port, log } = this.#options;
    const forwarder = forwarderTo(() => hostResolvers(address));
    try {
      return await startDnsServer({
        address,
        port,
        answer: (query, transport) => resolve(query, transport, { objects: this, forwarder }),
        onError: (error) => log.warn({ error: error.message, address }, 'DNS could not answer'),
      });
    } catch (error) {
      const hint = `free port ${port} on ${address}, then restart the control plane`;
      log.error(
        { error: messageOf(error), address, port, hint },
        'cluster DNS cannot listen: Pods find no names',
      );
      return undefined;
    }
  }

  service(namespace: string, name: string): Service | undefined {
    return this.#services.get(`${namespace}/${name}`);
  }

  slices({ metadata }: Service): readonly EndpointSlice[] {
    return this.#slices
      .byIndex('namespace', metadata.namespace ?? '')
      .filter((slice) => slice.metadata.labels?.[SERVICE_NAME] === metadata.name);
  }

  hasNamespace(name: string): boolean {
    return this.#namespaces.get(name) !== undefined;
  }

  podByAddress(namespace: string, address: string): Pod | undefined {
    return this.#pods
      .byIndex('namespace', namespace)
      .find(({ status }) => status?.podIP === address || status?.podIPs?.some(({ ip }) => ip === address));
  }

  servicesByAddress(address: string): Service | undefined {
    return this.#services
      .list()
      .find(({ spec }) => spec?.clusterIP === address || spec?.clusterIPs?.includes(address));
  }

  endpointByAddress(address: string): ReturnType<ZoneObjects['endpointByAddress']> {
    for (const slice of this.#slices.list()) {
      const endpoint = (slice.endpoints ?? []).find(({ addresses }) => addresses.includes(address));
      if (endpoint === undefined) continue;
      const service = this.service(
        slice.metadata.namespace ?? '',
        slice.metadata.labels?.[SERVICE_NAME] ?? '',
      );
      if (service !== undefined && isHeadless(service)) return { service, endpoint };
    }
    return undefined;
  }
}
