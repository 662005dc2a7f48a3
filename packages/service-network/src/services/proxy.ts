/**
 * Keeps the service tables of all nodes: hears of Services, EndpointSlices and Pods, and writes a table when
 * its text changed, one transaction each. No process per Service, no work while nothing changes.
 */
import { existsSync } from 'node:fs';
import type { EndpointSlice, Node, Pod, Service } from '@podvisor/api';
import { backoffMs, type Clock, type IpFamily, ipFamily, messageOf, sleep } from '@podvisor/base';
import { type EventRecorder, type Informer, type Log, resources, type SharedInformers } from '@podvisor/kube';
import {
  type InstanceConfig,
  listLinks,
  nftAccepts,
  nftApply,
  podCidrs,
  runInNetns,
  writeSysctl,
} from '@podvisor/sys';
import { acceptable } from './acceptable.ts';
import { type ServiceNetns, serviceNetworks } from './machine.ts';
import {
  type HostPort,
  hostPorts,
  isTooLarge,
  type NodeView,
  type PortRule,
  portRules,
  slicesByService,
} from './plan.ts';
import { loadBalancerRanges } from './load-balancer-range.ts';
import { ruleset, type TableFacts } from './ruleset.ts';
import { type ServiceRange, serviceRanges, serviceTable } from './service-range.ts';
import { type StaleFlow, staleFlows } from './stale-flows.ts';
import { serviceResources } from './types.ts';

export interface ServiceProxyOptions {
  readonly config: InstanceConfig;
  readonly informers: SharedInformers;
  /** Tells of a Service whose rules cannot be written. */
  readonly events: Pick<EventRecorder, 'event'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** One family's table in one network. */
interface ServiceTable {
  readonly network: ServiceNetns;
  readonly range: ServiceRange;
}

/** What is in a table. */
interface TableContent {
  readonly rules: readonly PortRule[];
  readonly ports: readonly HostPort[];
}

function together(parts: readonly TableContent[]): TableContent {
  return { rules: parts.flatMap(({ rules }) => rules), ports: parts.flatMap(({ ports }) => ports) };
}

/** The oldest first: of two that want the same address, the first that asked has it. */
function byAge({ metadata: a }: Service, { metadata: b }: Service): number {
  const key = ({ creationTimestamp = '', uid = '' }: Service['metadata']): string =>
    `${creationTimestamp} ${uid}`;
  return key(a) < key(b) ? -1 : 1;
}

/** Changes within this time are one transaction. */
const GATHER_MS = 5;

export class ServiceProxy {
  readonly #options: ServiceProxyOptions;
  readonly #services: Informer<Service>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  /** What each table was last to be, and what of it was written. */
  readonly #written = new Map<
    ServiceTable,
    { readonly wanted: string; readonly rules: readonly PortRule[] }
  >();
  /** UIDs of Services that are not carried, and were told. */
  #tooLarge: ReadonlySet<string> = new Set();
  #dirty = Promise.withResolvers<void>();

  /** Asks for its informers; whoever owns them starts them afterwards. */
  constructor(options: ServiceProxyOptions) {
    this.#options = options;
    const { informers } = options;
    this.#services = informers.of(serviceResources.services);
    this.#slices = informers.of(serviceResources.endpointSlices);
    this.#pods = informers.of(resources.pods);
    this.#nodes = informers.of(resources.nodes);
  }

  /** Runs until the signal ends it. The tables stay. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, config, log } = this.#options;
    await Promise.all([this.#services, this.#slices, this.#pods].map((informer) => informer.synced()));
    this.#listen();
    signal.addEventListener('abort', () => this.#dirty.resolve(), { once: true });
    const tables = serviceNetworks(config).flatMap((network) =>
      serviceRanges(config).map((range) => ({ network, range })),
    );
    for (let failures = 0; !signal.aborted; ) {
      this.#dirty = Promise.withResolvers<void>();
      try {
        await this.#write(tables);
        failures = 0;
        if (!signal.aborted) await this.#dirty.promise;
        await sleep(clock, GATHER_MS, signal).catch(() => undefined);
      } catch (error) {
        failures += 1;
        log.warn({ error: messageOf(error), failures }, 'service rules could not be written, trying again');
        await sleep(clock, backoffMs(failures, { firstMs: 100, maxMs: 10_000 }), signal).catch(
          () => undefined,
        );
      }
    }
  }

  #listen(): void {
    const dirty = (): void => this.#dirty.resolve();
    this.#services.on({ add: dirty, update: dirty, delete: dirty });
    this.#slices.on({ add: dirty, update: dirty, delete: dirty });
    const lends = ({ spec }: Pod): boolean =>
      spec.containers.some(({ ports = [] }) => ports.some(({ hostPort = 0 }) => hostPort > 0));
    const onPod = (pod: Pod): void => void (lends(pod) && dirty());
    this.#pods.on({ add: onPod, update: onPod, delete: onPod });
    this.#nodes.on({
      update: (node, old) => {
        if (isReady(node) === isReady(old)) return;
        // It may have come back with an empty network.
        for (const table of this.#written.keys())
          if (table.network.nodeName === node.metadata.name) this.#written.delete(table);
        dirty();
      },
    });
  }

  async #write(tables: readonly ServiceTable[]): Promise<void> {
    const { config } = this.#options;
    const services = this.#services.list().toSorted(byAge);
    const slices = slicesByService(this.#slices.list());
    const pods = this.#pods.list();
    const slicesOf = ({ metadata }: Service): readonly EndpointSlice[] =>
      slices.get(`${metadata.namespace}/${metadata.name}`) ?? [];
    this.#tellTooLarge(services.filter((service) => isTooLarge(service, slicesOf(service))));
    for (const table of tables) {
      const { network, range } = table;
      if (network.path !== undefined && !existsSync(network.path)) continue;
      const view: NodeView = {
        family: range.family,
        loadBalancerCidr: loadBalancerCidr(config, range.family),
        nodeName: network.nodeName,
        services,
        slicesOf,
        pods,
      };
      const wanted = { rules: portRules(view), ports: hostPorts(view) };
      const textOf = await this.#textFor(table);
      const text = textOf(wanted);
      const before = this.#written.get(table);
      if (before?.wanted === text) continue;
      const { rules } = await this.#apply(network, wanted, textOf, services);
      await this.#openLoopback(table, rules);
      this.#written.set(table, { wanted: text, rules });
      await this.#forget(network, staleFlows(before?.rules ?? [], rules));
    }
  }

  /**
   * Writes the table and gives what is in it. Where nft does not take the whole, Services and host ports that it does
   * not take are left out and told of, and all others have their rules.
   */
  async #apply(
    { path }: ServiceNetns,
    wanted: TableContent,
    textOf: (content: TableContent) => string,
    services: readonly Service[],
  ): Promise<TableContent> {
    try {
      await nftApply(path, textOf(wanted));
      return wanted;
    } catch (error) {
      const parts: readonly TableContent[] = [
        ...Map.groupBy(wanted.rules, ({ service }) => service)
          .values()
          .map((rules) => ({ rules, ports: [] })),
        ...wanted.ports.map((port) => ({ rules: [], ports: [port] })),
      ];
      const taken = together(await acceptable(parts, (some) => nftAccepts(path, textOf(together(some)))));
      // Nothing can be left out: it is not the content that is wrong.
      if (taken.rules.length === wanted.rules.length && taken.ports.length === wanted.ports.length)
        throw error;
      await nftApply(path, textOf(taken));
      this.#tellLeftOut(wanted, taken, services, messageOf(error));
      return taken;
    }
  }

  #tellTooLarge(services: readonly Service[]): void {
    for (const service of services.filter(({ metadata }) => !this.#tooLarge.has(metadata.uid ?? '')))
      this.#options.events.event(
        { apiVersion: 'v1', kind: 'Service', ...service },
        'Warning',
        'FailedToProgramRules',
        'This Service has too many ports and endpoints (their product is above 32768), so it is not reachable.',
      );
    this.#tooLarge = new Set(services.map(({ metadata }) => metadata.uid ?? ''));
  }

  #tellLeftOut(wanted: TableContent, taken: TableContent, services: readonly Service[], error: string): void {
    const { events, log } = this.#options;
    const kept = new Set(taken.rules.map(({ service }) => service));
    const left = new Set(wanted.rules.map(({ service }) => service).filter((uid) => !kept.has(uid)));
    for (const service of services.filter(({ metadata }) => left.has(metadata.uid ?? '')))
      events.event(
        { apiVersion: 'v1', kind: 'Service', ...service },
        'Warning',
        'FailedToProgramRules',
        'The rules of this Service cannot be written, so it is not reachable; other Services are.',
      );
    const ports = wanted.ports.length - taken.ports.length;
    log.warn({ error, services: [...left], ports }, 'rules of some Services could not be written');
  }

  /** Best effort: without the tool such flows end by themselves, when their client pauses. */
  async #forget({ path }: ServiceNetns, flows: readonly StaleFlow[]): Promise<void> {
    for (const { destination, target } of flows) {
      const family = ipFamily(destination) === 6 ? ['-f', 'ipv6'] : [];
      const to = target === undefined ? [] : ['--reply-src', target];
      const which = ['-D', ...family, '-p', 'udp', '--orig-dst', destination, ...to];
      try {
        // Exit code 1: there was none.
        await runInNetns(path, 'conntrack', which, { okCodes: [0, 1] });
      } catch (error) {
        this.#options.log.info(
          { error: messageOf(error) },
          'UDP flows to former endpoints could not be ended',
        );
        return;
      }
    }
  }

  /** The devices by which the machine reaches Pods. */
  #loopbackDevices(): readonly string[] {
    const { bridge, nodeNetwork } = this.#options.config;
    return nodeNetwork === undefined ? [bridge] : [bridge, nodeNetwork.bridge];
  }

  /** After the guard is in the table; a device comes with its first Pod, and endpoints after it. */
  async #openLoopback({ network, range }: ServiceTable, rules: readonly PortRule[]): Promise<void> {
    const isUsed = rules.some(({ nodePort, outside }) => nodePort !== undefined && outside.length > 0);
    if (network.path !== undefined || range.family !== 4 || !isUsed) return;
    for (const device of this.#loopbackDevices())
      if (existsSync(`/proc/sys/net/ipv4/conf/${device}`))
        await writeSysctl(undefined, `net.ipv4.conf.${device}.route_localnet`, '1');
  }

  /** How the table's text is made from what shall be in it. */
  async #textFor({
    network: { path, podCidrs: ofNode },
    range,
  }: ServiceTable): Promise<(content: TableContent) => string> {
    const { config } = this.#options;
    const { family } = range;
    const ofFamily = (cidr: string): boolean => ipFamily(cidr) === family;
    const facts: TableFacts = {
      family,
      table: serviceTable(config.name),
      serviceCidr: range.cidr,
      loadBalancerCidr: loadBalancerCidr(config, family),
      ...(path === undefined ? { loopback: { devices: this.#loopbackDevices() } } : {}),
      reserved: homePorts(config),
      ownAddresses: [range.apiServer, range.dns],
      podCidr: ofNode.find(ofFamily),
      clusterCidr: podCidrs(config).find(ofFamily) ?? config.podCidr,
      bridgeIsFiltered: await bridgeIsFiltered(path, config.bridge, family),
    };
    return ({ rules, ports }) => ruleset(facts, rules, ports);
  }
}

/** Ports at which the home itself listens. */
function homePorts({ apiPort, virtApiPort, nodes }: InstanceConfig): readonly number[] {
  return [apiPort, virtApiPort, ...nodes.map(({ handlerPort }) => handlerPort)];
}

function loadBalancerCidr(config: InstanceConfig, family: IpFamily): string {
  return loadBalancerRanges(config).find((range) => range.family === family)?.cidr ?? '';
}

/** True where the Pod bridge shows what it carries to nftables. */
async function bridgeIsFiltered(
  nsPath: string | undefined,
  bridge: string,
  family: IpFamily,
): Promise<boolean> {
  const found = (await listLinks(nsPath)).find(({ ifname }) => ifname === bridge);
  const { nf_call_iptables: shows, nf_call_ip6tables: shows6 } = found?.linkinfo?.info_data ?? {};
  return (family === 6 ? shows6 : shows) === 1;
}

function isReady({ status }: Node): boolean {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
}
