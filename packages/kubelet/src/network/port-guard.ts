/**
 * What the Pod bridge carries for a Pod: IP, from addresses that the Pod has, and none of a router's or DHCP server's
 * words. NetworkPolicies know Pods by their addresses and look at plain IP, so what comes under a wrong address, in a
 * tag or from a link-local address would go past them. The bridge sends frames to where it last saw a MAC address, so
 * that of a Pod is nobody else's to send from. One table of family `bridge` in each node's network, with a
 * chain for each Pod, made before its first program runs.
 */
import { ipFamily, ipValue, messageOf } from '@podvisor/base';
import { type CniResult, nftAccepts, nftApply, runInNetns } from '@podvisor/sys';
import type { KubeletContext } from '../context.ts';
import { bootId, readPodRecord, recordedPods } from '../pod/records.ts';
import { tableName } from './way-out.ts';

/** Nodes whose kernel has no such tables. */
const unguarded = new WeakSet<object>();

/** The table is there, with the Pods that are. Idempotent. */
export async function setUpPortGuard(context: KubeletContext): Promise<void> {
  const { config, nodeNetns, log, node } = context;
  const script = guardTable(config.name);
  if (await nftAccepts(nodeNetns, script)) {
    const known = recordedPods(context).map((uid) => readPodRecord(context, uid));
    const present = known.flatMap((record) =>
      record?.network === undefined || record.bootId !== bootId || record.tornDown === true
        ? []
        : guardOf(context, record.network),
    );
    return await nftApply(nodeNetns, `${script}${present.join('')}`);
  }
  unguarded.add(node);
  log.warn({ node: node.name }, 'the kernel has no nftables for bridges: Pods can use addresses of others');
}

/** From now on the Pod speaks under its own addresses only. */
export async function guardPort(context: KubeletContext, network: CniResult): Promise<void> {
  const { config, nodeNetns, node } = context;
  if (unguarded.has(node)) return;
  // The table too: the node's network may have come back empty.
  await nftApply(nodeNetns, `${guardTable(config.name)}${guardOf(context, network).join('')}`);
}

/** What was made for the Pod is taken away, as far as it is there. */
export async function releasePort(context: KubeletContext, network: CniResult): Promise<void> {
  const { config, nodeNetns, node, log } = context;
  const port = portOf(context, network);
  if (port === undefined || unguarded.has(node)) return;
  const script = `${guardTable(config.name)}${removal(config.name, { port, mac: macOf(network) })}`;
  // A chain that stays hinders nobody: its port is gone, and it is made anew with the next one of that name.
  await nftApply(nodeNetns, script).catch((error: unknown) =>
    log.warn({ port, error: messageOf(error) }, 'the guard of a port could not be taken away'),
  );
}

/** Leaves no table. Idempotent. */
export async function removePortGuard(instance: string, netns: string | undefined): Promise<void> {
  await runInNetns(netns, 'nft', ['delete', 'table', 'bridge', tableName(instance)], { okCodes: [0, 1] });
}

function guardOf(context: KubeletContext, network: CniResult): readonly string[] {
  const port = portOf(context, network);
  const addresses = (network.ips ?? []).map(({ address }) => address.split('/', 1).join());
  return port === undefined ? [] : [podGuard(context.config.name, { port, mac: macOf(network) }, addresses)];
}

/** The Pod's end of its cable. A bridged guest sends from this address too, unless its VMI names another. */
function macOf({ interfaces = [] }: CniResult): string | undefined {
  const mac = interfaces.find(({ sandbox = '' }) => sandbox !== '')?.mac;
  return mac !== undefined && /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i.test(mac) ? mac : undefined;
}

/** The node's end of the Pod's cable; undefined for a Pod that is not on the Pod bridge. */
function portOf({ config }: KubeletContext, { interfaces = [] }: CniResult): string | undefined {
  const outside = interfaces.filter(({ sandbox = '' }) => sandbox === '').map(({ name }) => name);
  return outside.includes(config.bridge) ? outside.find((name) => /^veth[0-9a-f]+$/.test(name)) : undefined;
}

/** Script that makes sure of the table and says anew what holds for all Pods. */
function guardTable(instance: string): string {
  const table = `bridge ${tableName(instance)}`;
  const rules = (chain: string, lines: readonly string[]): readonly string[] => [
    `flush chain ${table} ${chain}`,
    ...lines.map((line) => `add rule ${table} ${chain} ${line}`),
  ];
  return [
    `add table ${table}`,
    `add map ${table} pods { type ifname : verdict; }`,
    `add set ${table} ports { type ifname; }`,
    `add set ${table} macs { type ether_addr; }`,
    `add set ${table} places { type ether_addr . ifname; }`,
    `add chain ${table} prerouting { type filter hook prerouting priority -300; policy accept; }`,
    `add chain ${table} forward { type filter hook forward priority 0; policy accept; }`,
    `add chain ${table} from-pod`,
    `add chain ${table} between-pods`,
    ...rules('prerouting', ['iifname @ports jump from-pod', 'iifname vmap @pods']),
    ...rules('forward', ['iifname @ports oifname @ports jump between-pods']),
    ...rules('from-pod', [
      // Else the bridge would send the other Pod's frames here.
      'ether saddr @macs ether saddr . iifname != @places counter drop',
      // Tagged frames and those of other protocols are not shown to policies, and some are IP to who gets them.
      'ether type != { ip, ip6, arp } counter drop',
      // Pods have their addresses already, and their gateway says nothing.
      'udp dport { 68, 546 } counter drop',
      'icmpv6 type { nd-router-advert, nd-redirect } counter drop',
    ]),
    // Policies are about the addresses that Pods are given.
    ...rules('between-pods', [
      'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept',
      // Who has no address yet has nothing to say to other Pods.
      'ip saddr 0.0.0.0 counter drop',
      'ip6 saddr :: counter drop',
      'ip6 saddr fe80::/10 counter drop',
      'ip6 daddr fe80::/10 counter drop',
    ]),
    '',
  ].join('\n');
}

interface GuardedPort {
  /** Name of the node's end of the Pod's cable. */
  readonly port: string;
  readonly mac: string | undefined;
}

/** Script that adds one Pod, in place of what was there under the name of its port. */
function podGuard(instance: string, guarded: GuardedPort, addresses: readonly string[]): string {
  const { port, mac } = guarded;
  const table = `bridge ${tableName(instance)}`;
  const of = (family: 4 | 6): readonly string[] => addresses.filter((one) => ipFamily(one) === family);
  const [v4, v6] = [of(4), of(6)];
  const targets = v6.map((address) => `0x${ipValue(address).toString(16).padStart(32, '0')}`);
  // Nobody may be found at an address that somebody has; who has none yet asks for it from no address.
  const others = (list: readonly string[]): string => (list.length === 0 ? '' : ` != { ${list.join(', ')} }`);
  const lines = [
    `arp saddr ip${others(['0.0.0.0', ...v4])} counter drop`,
    `ip saddr${others(['0.0.0.0', ...v4])} counter drop`,
    `ip6 saddr${others(['::', 'fe80::/10', ...v6])} counter drop`,
    // Of link-local addresses Pods may speak as they like: no policy is about them.
    `icmpv6 type nd-neighbor-advert @th,64,10 != 0x3fa${targets.length === 0 ? '' : ` @th,64,128${others(targets)}`} counter drop`,
  ];
  return [
    removal(instance, guarded),
    `add chain ${table} p-${port}`,
    ...lines.map((line) => `add rule ${table} p-${port} ${line}`),
    `add element ${table} pods { "${port}" : jump p-${port} }`,
    `add element ${table} ports { "${port}" }`,
    ...macElements('add', table, { port, mac }),
    '',
  ].join('\n');
}

function macElements(verb: 'add' | 'delete', table: string, { port, mac }: GuardedPort): readonly string[] {
  return mac === undefined
    ? []
    : [`${verb} element ${table} macs { ${mac} }`, `${verb} element ${table} places { ${mac} . "${port}" }`];
}

/** Adding before deleting makes it hold whether it was there or not. */
function removal(instance: string, guarded: GuardedPort): string {
  const { port } = guarded;
  const table = `bridge ${tableName(instance)}`;
  return [
    `add chain ${table} p-${port}`,
    `add element ${table} pods { "${port}" : jump p-${port} }`,
    `delete element ${table} pods { "${port}" }`,
    `add element ${table} ports { "${port}" }`,
    `delete element ${table} ports { "${port}" }`,
    ...macElements('add', table, guarded),
    ...macElements('delete', table, guarded),
    `delete chain ${table} p-${port}`,
    '',
  ].join('\n');
}
