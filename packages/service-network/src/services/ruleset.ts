/** The text of a node's service table. Pure: equal rules, equal text. */
import { type IpFamily, isInPrefix, urlHost } from '@podvisor/base';
import type { HostPort, PortRule, Target } from './plan.ts';

/** nftables' words for a family. */
interface Words {
  readonly ip: 'ip' | 'ip6';
  readonly type: string;
  readonly loopback: string;
  readonly icmp: string;
}
const WORDS: Readonly<Record<IpFamily, Words>> = {
  4: { ip: 'ip', type: 'ipv4_addr', loopback: '127.0.0.0/8', icmp: 'icmp' },
  6: { ip: 'ip6', type: 'ipv6_addr', loopback: '::1', icmp: 'icmpv6' },
};

export interface TableFacts {
  readonly family: IpFamily;
  readonly table: string;
  readonly serviceCidr: string;
  /** Addresses of load balancers. */
  readonly loadBalancerCidr: string;
  /**
   * Where programs of the machine itself are: node ports answer at 127.0.0.1 too. Its packets leave by `devices`,
   * which let loopback addresses out and never in.
   */
  readonly loopback?: { readonly devices: readonly string[] };
  /** TCP ports at which the home itself listens: nobody borrows them, at whatever address. */
  readonly reserved: readonly number[];
  /** Addresses in the range that the machine itself answers at: the API server and DNS. */
  readonly ownAddresses: readonly string[];
  /** Range of this node's Pods; undefined where no Pods are. */
  readonly podCidr: string | undefined;
  /** Range of all Pods and nodes. */
  readonly clusterCidr: string;
  /** The kernel shows bridged packets to nftables, so answers between Pods of one bridge are translated back. */
  readonly bridgeIsFiltered: boolean;
}

/** Marks connections whose source must become the node's address. */
const MASQUERADE = '0x4000';

export function ruleset(facts: TableFacts, rules: readonly PortRule[], ports: readonly HostPort[]): string {
  const { table } = facts;
  const words = WORDS[facts.family];
  const { ip, type } = words;
  return [
    `table ${ip} ${table}`,
    `delete table ${ip} ${table}`,
    `table ${ip} ${table} {`,
    map('services', `${type} . inet_proto . inet_service : verdict`, serviceElements(facts, rules)),
    map('node-ports', 'inet_proto . inet_service : verdict', nodePortElements(facts, rules, ports)),
    ...loopbackParts(facts, rules),
    map('host-ports', `${type} . inet_proto . inet_service : verdict`, hostPortElements(facts, ports)),
    set('own-addresses', type, facts.ownAddresses),
    set('hairpins', `${type} . ${type}`, hairpins(rules, ports)),
    ...rules.flatMap((rule) => chainsOf(rule, words)),
    ...ports.map((port, i) => chain(hostChain(port, i), [dnat(words, port.protocol, [port.target], false)])),
    chain('services', [
      `${ip} daddr . meta l4proto . th dport vmap @services`,
      `${ip} daddr . meta l4proto . th dport vmap @host-ports`,
      `fib daddr type local ${ip} daddr != ${words.loopback} ${ip} daddr != @own-addresses meta l4proto . th dport vmap @node-ports`,
    ]),
    chain('prerouting', ['type nat hook prerouting priority dstnat; policy accept;', 'jump services']),
    chain('output', [
      'type nat hook output priority -100; policy accept;',
      'jump services',
      ...(hasLoopback(facts)
        ? [`ip daddr ${words.loopback} meta l4proto . th dport vmap @loopback-ports`]
        : []),
    ]),
    chain('postrouting', [
      'type nat hook postrouting priority srcnat - 5; policy accept;',
      ...sourceRules(facts),
    ]),
    ...refusals(facts),
    '}',
    '',
  ].join('\n');
}

/**
 * Every destination once. A Service's own address is its own, also while nobody is behind it; an external address goes to
 * the first Service that names it, and never takes an address of the ranges.
 */
function serviceElements(facts: TableFacts, rules: readonly PortRule[]): string[] {
  const destination = (ip: string, { protocol, port }: PortRule): string => `${ip} . ${protocol} . ${port}`;
  const destinations = new Map<string, string>();
  const add = (key: string, chain: string): void =>
    void (destinations.has(key) || destinations.set(key, chain));
  for (const rule of rules)
    if (rule.inside.length > 0) for (const ip of rule.clusterIps) add(destination(ip, rule), rule.chain);
  for (const rule of rules)
    if (rule.outside.length > 0)
      for (const ip of rule.loadBalancerIps) add(destination(ip, rule), `${rule.chain}-out`);
  for (const rule of rules)
    if (rule.outside.length > 0)
      for (const ip of rule.externalIps)
        if (!isInPrefix(ip, facts.serviceCidr) && !isInPrefix(ip, facts.loadBalancerCidr))
          add(destination(ip, rule), `${rule.chain}-out`);
  return [...destinations].map(([key, chain]) => `${key} : goto ${chain}`);
}

function isReserved({ reserved }: TableFacts, protocol: string, port: number): boolean {
  return protocol === 'tcp' && reserved.includes(port);
}

function nodePortElements(
  facts: TableFacts,
  rules: readonly PortRule[],
  ports: readonly HostPort[],
): string[] {
  const hosts = ports.flatMap((port, i) =>
    port.address === undefined && !isReserved(facts, port.protocol, port.port)
      ? [[`${port.protocol} . ${port.port}`, hostChain(port, i)] as const]
      : [],
  );
  const nodes = rules.flatMap((rule) =>
    rule.nodePort === undefined ||
    rule.outside.length === 0 ||
    isReserved(facts, rule.protocol, rule.nodePort)
      ? []
      : [[`${rule.protocol} . ${rule.nodePort}`, `${rule.chain}-out`] as const],
  );
  // Two that want the same destination: the last one, a Service, has it.
  return [...new Map([...hosts, ...nodes])].map(([destination, name]) => `${destination} : goto ${name}`);
}

/** IPv6 has no way from ::1 to another host. */
const hasLoopback = ({ family, loopback }: TableFacts): boolean => family === 4 && loopback !== undefined;

/** Ports at 127.0.0.1, and the guard of the devices that may carry such packets: only answers come back by them. */
function loopbackParts(facts: TableFacts, rules: readonly PortRule[]): string[] {
  const { loopback } = facts;
  if (!hasLoopback(facts) || loopback === undefined) return [];
  const devices = loopback.devices.map((name) => `"${name}"`).join(', ');
  return [
    map('loopback-ports', 'inet_proto . inet_service : verdict', nodePortElements(facts, rules, [])),
    chain('loopback-guard', [
      'type filter hook prerouting priority raw; policy accept;',
      `iifname { ${devices} } ip daddr 127.0.0.0/8 drop`,
      `iifname { ${devices} } ip saddr 127.0.0.0/8 drop`,
    ]),
  ];
}

function hostPortElements(facts: TableFacts, ports: readonly HostPort[]): string[] {
  const destinations = ports.flatMap((port, i) =>
    port.address === undefined || isReserved(facts, port.protocol, port.port)
      ? []
      : [[`${port.address} . ${port.protocol} . ${port.port}`, hostChain(port, i)] as const],
  );
  return [...new Map(destinations)].map(([destination, name]) => `${destination} : goto ${name}`);
}

function hostChain({ protocol, port }: HostPort, i: number): string {
  return `h-${protocol}-${port}-${i}`;
}

function chainsOf(rule: PortRule, words: Words): string[] {
  const isOpen =
    rule.nodePort !== undefined || rule.externalIps.length > 0 || rule.loadBalancerIps.length > 0;
  return [
    ...(rule.inside.length === 0
      ? []
      : [chain(rule.chain, [dnat(words, rule.protocol, rule.inside, rule.sticky)])]),
    ...(!isOpen || rule.outside.length === 0
      ? []
      : [
          chain(`${rule.chain}-out`, [
            ...(rule.masquerade ? [`meta mark set meta mark | ${MASQUERADE}`] : []),
            dnat(words, rule.protocol, rule.outside, rule.sticky),
          ]),
        ]),
  ];
}

function dnat({ ip: family }: Words, protocol: string, targets: readonly Target[], sticky: boolean): string {
  const [only] = targets;
  if (only !== undefined && targets.length === 1)
    return `meta l4proto ${protocol} dnat ${family} to ${urlHost(only.ip)}:${only.port}`;
  const choice = sticky ? `jhash ${family} saddr` : 'numgen random';
  const elements = targets.map(({ ip, port }, i) => `${i} : ${ip} . ${port}`).join(', ');
  return `meta l4proto ${protocol} dnat ${family} to ${choice} mod ${targets.length} map { ${elements} }`;
}

/** A Pod that reaches itself through a Service would answer itself: its packets take the node's address. */
function hairpins(rules: readonly PortRule[], ports: readonly HostPort[]): string[] {
  const targets = [
    ...rules.flatMap(({ inside, outside }) => [...inside, ...outside]),
    ...ports.map(({ target }) => target),
  ];
  return [...new Set(targets.map(({ ip }) => `${ip} . ${ip}`))];
}

function sourceRules(facts: TableFacts): string[] {
  const { family, podCidr, bridgeIsFiltered } = facts;
  const { ip, loopback } = WORDS[family];
  return [
    ...(hasLoopback(facts) ? [`ip saddr ${loopback} oifname != "lo" ct status dnat masquerade`] : []),
    `meta mark & ${MASQUERADE} == ${MASQUERADE} ct status dnat masquerade`,
    `ct status dnat ${ip} saddr . ${ip} daddr @hairpins masquerade`,
    // Between Pods of one bridge the answer would go past us, and nobody would translate it back.
    ...(podCidr === undefined || bridgeIsFiltered
      ? []
      : [`ct status dnat ${ip} saddr ${podCidr} ${ip} daddr ${podCidr} masquerade`]),
  ];
}

/** What is still addressed to the range after translation has nobody behind it; strangers have no business there. */
function refusals({ family, serviceCidr, loadBalancerCidr, clusterCidr }: TableFacts): string[] {
  const { ip, icmp } = WORDS[family];
  const nobody = `${ip} daddr { ${serviceCidr}, ${loadBalancerCidr} } ${ip} daddr != @own-addresses`;
  const refuse = [
    `${nobody} meta l4proto tcp reject with tcp reset`,
    `${nobody} reject with ${icmp} type port-unreachable`,
  ];
  return [
    chain('forward', ['type filter hook forward priority filter; policy accept;', ...refuse]),
    chain('refuse-output', ['type filter hook output priority filter; policy accept;', ...refuse]),
    chain('input', [
      'type filter hook input priority filter; policy accept;',
      `${ip} daddr @own-addresses iifname != "lo" ${ip} saddr != ${clusterCidr} drop`,
    ]),
  ];
}

function chain(name: string, lines: readonly string[]): string {
  return [`  chain ${name} {`, ...lines.map((line) => `    ${line}`), '  }'].join('\n');
}

function map(name: string, type: string, elements: readonly string[]): string {
  return collection('map', name, type, elements);
}

function set(name: string, type: string, elements: readonly string[]): string {
  return collection('set', name, type, elements);
}

function collection(kind: string, name: string, type: string, elements: readonly string[]): string {
  const content = elements.length === 0 ? [] : [`    elements = { ${elements.join(', ')} }`];
  return [`  ${kind} ${name} {`, `    type ${type}`, ...content, '  }'].join('\n');
}
