/**
 * The NAT of the masquerade binding: what arrives at the Pod goes to the guest, what the guest sends leaves
 * with the Pod's address. One script, one transaction; its chains either all exist or none does.
 */
import type { Port, PortRange } from '@podvisor/api';

export interface NatRules {
  readonly family: 'ip' | 'ip6';
  readonly podInterface: string;
  readonly bridge: string;
  readonly guestAddress: string;
  readonly gatewayAddress: string;
  /** Only these are forwarded to the guest; none: everything is. */
  readonly ports: readonly Port[];
  readonly portRanges?: readonly PortRange[];
  /** A service mesh's proxy is in the Pod, which has this address: the proxy, not the guest, hears what comes. */
  readonly mesh?: { readonly podAddress: string };
}

/** The chain by which our rules are recognised. */
export const MARKER_CHAIN = 'KUBEVIRT_PREINBOUND';

/**
 * Drops what connection tracking cannot make sense of. When a guest has moved, its peers acknowledge for a moment to
 * the Pod that it left what it sent from the new one. NAT leaves such packets alone, so they would reach the Pod
 * itself, which knows no such connection and would reset it.
 */
export const INVALID_CHAIN = 'KUBEVIRT_INVALID';

/** True when the table's text shows that our rules are in place. */
export function hasNatRules(table: string | undefined): boolean {
  return table?.includes(`chain ${MARKER_CHAIN} {`) ?? false;
}

/** nft script for one address family. */
export function natScript(rules: NatRules): string {
  const { family, podInterface, bridge, guestAddress, gatewayAddress } = rules;
  const loopback = family === 'ip' ? '127.0.0.1' : '::1';
  const { mesh } = rules;
  // Envoy speaks to the guest from an address of its own, and to the Pod's address as well as to the loopback.
  const proxy = family === 'ip' ? '127.0.0.6' : '::6';
  const fromHere = mesh === undefined ? loopback : `{ ${loopback}, ${proxy} }`;
  const toHere = mesh === undefined ? loopback : `{ ${loopback}, ${mesh.podAddress} }`;
  const reserved = mesh === undefined ? [] : [`tcp dport { ${MESH_PORTS.join(', ')} } counter return`];
  const matches = portMatches(rules);
  const inbound = mesh === undefined ? matches : unproxied(rules);
  const each = (of: readonly string[], before: string, after: string): string[] =>
    of.map((match) => `    ${[before, match, 'counter', after].filter((s) => s !== '').join(' ')}`);
  return [
    `table ${family} nat {`,
    '  chain prerouting { type nat hook prerouting priority -100; policy accept; }',
    '  chain input { type nat hook input priority 100; policy accept; }',
    '  chain output { type nat hook output priority -100; policy accept; }',
    '  chain postrouting { type nat hook postrouting priority 100; policy accept; }',
    `  chain ${INVALID_CHAIN} { type filter hook prerouting priority -150; policy accept; ct state invalid counter drop; }`,
    `  chain ${MARKER_CHAIN} {`,
    ...each(inbound, '', `dnat to ${guestAddress}`),
    '  }',
    '  chain KUBEVIRT_POSTINBOUND {',
    ...reserved.map((rule) => `    ${rule}`),
    ...each(matches, `${family} saddr ${fromHere}`, `snat to ${gatewayAddress}`),
    '  }',
    '}',
    `add rule ${family} nat prerouting iifname "${podInterface}" counter jump ${MARKER_CHAIN}`,
    `add rule ${family} nat postrouting ${family} saddr ${guestAddress} counter masquerade`,
    `add rule ${family} nat postrouting oifname "${bridge}" counter jump KUBEVIRT_POSTINBOUND`,
    ...reserved.map((rule) => `add rule ${family} nat output ${rule}`),
    ...matches.map((match) =>
      `add rule ${family} nat output ${family} daddr ${toHere} ${match} counter dnat to ${guestAddress}`.replace(
        '  ',
        ' ',
      ),
    ),
    '',
  ].join('\n');
}

/** Ports of the mesh's own processes. */
const MESH_PORTS = [15000, 15001, 15004, 15006, 15008, 15009, 15020, 15021, 15053, 15090];
/** SSH is not for a proxy. */
const UNPROXIED_PORT = 22;

/** What reaches the guest directly though a proxy is there: SSH, unless ports are listed and it is not among them. */
function unproxied({ ports, portRanges = [] }: NatRules): readonly string[] {
  const isListed = ports.some(({ port }) => port === UNPROXIED_PORT);
  return isListed || (ports.length === 0 && portRanges.length === 0) ? [`tcp dport ${UNPROXIED_PORT}`] : [];
}

/** One match per forwarded port; a single empty match forwards everything. */
function portMatches(rules: NatRules): readonly string[] {
  const single = rules.ports.map((p) => `${protocol(p.protocol)} dport ${number(p.port)}`);
  const ranges = (rules.portRanges ?? []).map(
    (r) => `${protocol(r.protocol)} dport ${number(r.start)}-${number(r.end)}`,
  );
  const all = [...single, ...ranges];
  return all.length === 0 ? [''] : all;
}

/** What is written into a script that root runs is a number, whoever looked at the object before. */
function number(port: number): number {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`"${port}" is not a port`);
  return port;
}

function protocol(name: string | undefined): string {
  const lower = (name === undefined || name === '' ? 'TCP' : name).toLowerCase();
  if (lower !== 'tcp' && lower !== 'udp' && lower !== 'sctp')
    throw new Error(`"${name}" is not a protocol of ports`);
  return lower;
}
