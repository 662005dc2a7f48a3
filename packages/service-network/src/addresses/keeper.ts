/**
 * Keeps the ways to addresses that moved with their VMs: hears of Pods, and writes routes of host addresses into
 * every node's network and the machine's when one changed. They carry a protocol number of their own, so that a
 * restart finds and replaces them.
 */
import { existsSync } from 'node:fs';
import type { Pod } from '@podvisor/api';
import { backoffMs, type Clock, ipFamily, messageOf, sleep } from '@podvisor/base';
import { type Informer, type Log, resources, type SharedInformers } from '@podvisor/kube';
import {
  announceAddress,
  type InstanceConfig,
  ipBatch,
  listLinks,
  listRoutes,
  netnsPath,
  nodeAddresses,
  podCidrs,
  runInNetns,
} from '@podvisor/sys';
import {
  announcements,
  changedAddresses,
  type MovedAddress,
  movedAddresses,
  proxiedFor,
  routesFor,
} from './decide.ts';
import { anycastMac } from './gateway.ts';

export interface AddressKeeperOptions {
  readonly config: InstanceConfig;
  readonly informers: SharedInformers;
  readonly clock: Clock;
  readonly log: Log;
}

/** The network of this process, which is the machine's. */
const MACHINE = '/proc/self/ns/net';
/** Unused by daemons; see /etc/iproute2/rt_protos. */
const PROTOCOL = '77';

export class AddressKeeper {
  readonly #options: AddressKeeperOptions;
  readonly #pods: Informer<Pod>;
  #dirty = Promise.withResolvers<void>();
  #before: ReadonlyMap<string, MovedAddress> = new Map();
  #written: string | undefined;

  /** Asks for its informer; whoever owns it starts it afterwards. */
  constructor(options: AddressKeeperOptions) {
    this.#options = options;
    this.#pods = options.informers.of(resources.pods);
  }

  /** Runs until the signal ends it; with one node there is nothing to do. The routes stay. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, config, log } = this.#options;
    if (config.nodeNetwork === undefined) return;
    await this.#pods.synced();
    const dirty = (): void => this.#dirty.resolve();
    this.#pods.on({ add: dirty, update: dirty, delete: dirty });
    signal.addEventListener('abort', dirty, { once: true });
    for (let failures = 0; !signal.aborted; ) {
      this.#dirty = Promise.withResolvers<void>();
      try {
        await this.#look();
        failures = 0;
        await this.#dirty.promise;
      } catch (error) {
        failures += 1;
        log.warn({ error: messageOf(error), failures }, 'ways to moved addresses could not be written');
        await sleep(clock, backoffMs(failures, { firstMs: 100, maxMs: 10_000 }), signal).catch(
          () => undefined,
        );
      }
    }
  }

  async #look(): Promise<void> {
    const { config, log } = this.#options;
    const pods = this.#pods.list();
    const moved = movedAddresses(pods, config.nodes);
    const text = JSON.stringify([...moved.values()]);
    if (text === this.#written) return;
    const changed = changedAddresses(this.#before, moved);
    await Promise.all(networksOf(config).map((network) => writeRoutes(config, network, moved, changed)));
    for (const { node, addresses } of announcements(this.#before, moved, pods))
      await this.#announce(node, addresses);
    this.#before = moved;
    this.#written = text;
    log.info({ moved: [...moved.values()] }, 'ways to moved addresses are written');
  }

  async #announce(node: string, addresses: readonly string[]): Promise<void> {
    const { config, log } = this.#options;
    const found = config.nodes.find(({ name }) => name === node);
    if (found === undefined || addresses.length === 0) return;
    try {
      const nsPath = found.netns === undefined ? MACHINE : pathOf(found.netns);
      const bridge = (await listLinks(nsPath)).find(({ ifname }) => ifname === config.bridge);
      if (bridge === undefined) return;
      for (const address of addresses)
        announceAddress(nsPath, bridge.ifindex, address, anycastMac(config.podCidr));
    } catch (error) {
      // Neighbours find out by themselves within a minute.
      log.warn({ node, error: messageOf(error) }, 'neighbours could not be told of a moved address');
    }
  }
}

/** Namespaces are configured by name or by path. */
function pathOf(netns: string): string {
  return netns.startsWith('/') ? netns : netnsPath(netns);
}

interface RoutedNetwork {
  readonly path: string | undefined;
  readonly nodeName: string | undefined;
  readonly podBridge: string;
  readonly uplink: string;
}

function networksOf({ nodes, bridge, nodeNetwork }: InstanceConfig): readonly RoutedNetwork[] {
  const machine = {
    path: undefined,
    // The first node of a home that has grown is the machine itself.
    nodeName: nodes.find(({ netns }) => netns === undefined)?.name,
    podBridge: bridge,
    uplink: nodeNetwork?.bridge ?? '',
  };
  const own = nodes.flatMap(({ name, netns }) =>
    netns === undefined ? [] : [{ path: pathOf(netns), nodeName: name, podBridge: bridge, uplink: 'eth0' }],
  );
  return [machine, ...own];
}

async function writeRoutes(
  config: InstanceConfig,
  network: RoutedNetwork,
  moved: ReadonlyMap<string, MovedAddress>,
  changed: readonly string[],
): Promise<void> {
  if (network.path !== undefined && !existsSync(network.path)) return;
  const wanted = routesFor(network, moved.values(), (node) => {
    const found = config.nodes.find(({ name }) => name === node);
    return found === undefined ? [] : nodeAddresses(found);
  });
  const hasIpv6 = podCidrs(config).some((cidr) => ipFamily(cidr) === 6);
  const routes = [...(await listRoutes(network.path)), ...(hasIpv6 ? await listRoutes(network.path, 6) : [])];
  const stale = routes.filter(
    ({ dst, protocol, dev }) =>
      protocol === PROTOCOL && (dev === network.uplink || dev === network.podBridge) && !moved.has(dst),
  );
  await ipBatch(network.path, [
    ...stale.map(({ dst, dev }) => `route del ${dst} dev ${dev} proto ${PROTOCOL}`),
    ...wanted.map((route) => `route replace ${route} proto ${PROTOCOL}`),
    ...(hasIpv6 ? await proxyCommands(network, moved) : []),
    // Who had the address before is remembered for a while, and would get what is meant for the new one.
    ...(network.nodeName === undefined
      ? []
      : changed.map((address) => `neigh flush dev ${network.podBridge} to ${address}`)),
  ]);
}

/** The bridge answers for IPv6 addresses of its range that have left, and for no others. */
async function proxyCommands(
  { path, nodeName, podBridge }: RoutedNetwork,
  moved: ReadonlyMap<string, MovedAddress>,
): Promise<readonly string[]> {
  if (nodeName === undefined) return [];
  const wanted = proxiedFor(nodeName, moved.values());
  const shown = await runInNetns(path, 'ip', ['-6', '-j', 'neigh', 'show', 'proxy', 'dev', podBridge]);
  const present = (JSON.parse(shown.stdout || '[]') as readonly { readonly dst: string }[]).map(
    ({ dst }) => dst,
  );
  return [
    ...present.filter((a) => !wanted.includes(a)).map((a) => `neigh del proxy ${a} dev ${podBridge}`),
    ...wanted.filter((a) => !present.includes(a)).map((a) => `neigh add proxy ${a} dev ${podBridge}`),
  ];
}
