/**
 * The text of a node's policy table. Pure: equal isolations, equal text. Answers pass; a packet of an isolated Pod
 * goes through the Pod's chain, which lets it return or drops it. Both ends are asked, each on its own node.
 */
import { createHash } from 'node:crypto';
import type { AddressBlock, Isolation, Permission } from './decide.ts';

/** Name of the table (family inet). */
export function policyTable(instance: string): string {
  return `podvisor-policies-${instance}`;
}

export function policyRuleset(table: string, isolations: readonly Isolation[]): string {
  const reset = [`table inet ${table} {}`, `delete table inet ${table}`];
  if (isolations.length === 0) return `${reset.join('\n')}\n`;
  const ordered = isolations.toSorted((a, b) => a.uid.localeCompare(b.uid));
  const out = ordered.filter(({ egress }) => egress !== undefined);
  const into = ordered.filter(({ ingress }) => ingress !== undefined);
  return [
    ...reset,
    `table inet ${table} {`,
    ...[4, 6].flatMap((family) => [
      map(`reaching${family}`, family, elements(out, family, 'out')),
      map(`hearing${family}`, family, elements(into, family, 'in')),
    ]),
    ...out.map((pod) => podChain(chainName(pod, 'out'), 'daddr', pod.egress ?? [])),
    ...into.map((pod) => podChain(chainName(pod, 'in'), 'saddr', pod.ingress ?? [])),
    base('forward', [
      'ip saddr vmap @reaching4',
      'ip6 saddr vmap @reaching6',
      'ip daddr vmap @hearing4',
      'ip6 daddr vmap @hearing6',
    ]),
    // What a Pod says to its own node; the node itself may always speak to its Pods.
    base('input', ['ip saddr vmap @reaching4', 'ip6 saddr vmap @reaching6']),
    '}',
    '',
  ].join('\n');
}

function chainName({ uid }: Isolation, direction: 'in' | 'out'): string {
  return `${direction}-${createHash('sha256').update(uid).digest('hex').slice(0, 16)}`;
}

function elements(pods: readonly Isolation[], family: number, direction: 'in' | 'out'): readonly string[] {
  return pods.flatMap((pod) =>
    pod.addresses
      .filter((address) => address.includes(':') === (family === 6))
      .map((address) => `${address} : jump ${chainName(pod, direction)}`),
  );
}

function podChain(name: string, side: 'saddr' | 'daddr', permissions: readonly Permission[]): string {
  const allowed = permissions.flatMap((permission) => permissionRules(side, permission));
  return [
    `  chain ${name} {`,
    // Neighbours must be found, or nothing works; policies are about addresses.
    '    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, nd-router-advert } return',
    ...[...new Set(allowed)].map((rule) => `    ${rule}`),
    '    counter drop',
    '  }',
  ].join('\n');
}

function permissionRules(side: 'saddr' | 'daddr', { peers, ports }: Permission): readonly string[] {
  const who = peers === undefined ? [''] : peerMatches(side, peers);
  const what =
    ports === undefined
      ? ['']
      : ports.map(({ protocol, range }) =>
          range === undefined ? `meta l4proto ${protocol}` : `${protocol} dport ${range}`,
        );
  return who.flatMap((from) =>
    what.map((to) => [from, to, 'return'].filter((part) => part !== '').join(' ')),
  );
}

/** Single addresses of a family share one match; a block with exceptions has one of its own. */
function peerMatches(side: 'saddr' | 'daddr', peers: readonly AddressBlock[]): readonly string[] {
  return (['ip', 'ip6'] as const).flatMap((family) => {
    const own = peers.filter(({ cidr }) => cidr.includes(':') === (family === 'ip6'));
    const plain = own.filter(({ except = [] }) => except.length === 0).map(({ cidr }) => cidr);
    const cut = own.filter(({ except = [] }) => except.length > 0);
    return [
      ...(plain.length === 0 ? [] : [`${family} ${side} { ${[...new Set(plain)].toSorted().join(', ')} }`]),
      ...cut.map(
        ({ cidr, except = [] }) => `${family} ${side} ${cidr} ${family} ${side} != { ${except.join(', ')} }`,
      ),
    ];
  });
}

function base(hook: 'forward' | 'input', rules: readonly string[]): string {
  return [
    `  chain ${hook} {`,
    `    type filter hook ${hook} priority filter + 10; policy accept;`,
    '    ct state established,related accept',
    ...rules.map((rule) => `    ${rule}`),
    '  }',
  ].join('\n');
}

function map(name: string, family: number, content: readonly string[]): string {
  return [
    `  map ${name} {`,
    `    type ${family === 4 ? 'ipv4_addr' : 'ipv6_addr'} : verdict`,
    ...(content.length === 0 ? [] : [`    elements = { ${content.join(', ')} }`]),
    '  }',
  ].join('\n');
}
