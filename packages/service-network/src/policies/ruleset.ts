/**
 * The text of a node's policy table. Pure: equal isolations, equal text. Answers pass; a packet of an isolated Pod
 * goes through the Pod's chain, which lets it return or drops it. Both ends are asked, each on its own node.
 */
import { createHash } from 'node:crypto';
import { type AddressBlock, mergedPrefixes } from './blocks.ts';
import type { Isolation, Permission } from './decide.ts';

/** Name of the table (family inet). */
export function policyTable(instance: string): string {
  return `podvisor-policies-${instance}`;
}

export function policyRuleset(table: string, isolations: readonly Isolation[]): string {
  const reset = [`table inet ${table} {}`, `delete table inet ${table}`];
  if (isolations.length === 0) return `${reset.join('\n')}\n`;
  const ordered = isolations.toSorted((a, b) => a.uid.localeCompare(b.uid));
  const out = chainsOf(ordered, 'out');
  const into = chainsOf(ordered, 'in');
  return [
    ...reset,
    `table inet ${table} {`,
    ...[out, into].flatMap(({ chains }) => [...chains].map(([name, lines]) => chain(name, lines))),
    ...([4, 6] as const).flatMap((family) => [
      map(`reaching${family}`, family, elements(out, family)),
      map(`hearing${family}`, family, elements(into, family)),
    ]),
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

interface Chains {
  /** Rules by the name of their chain. */
  readonly chains: ReadonlyMap<string, readonly string[]>;
  /** The chain of each address. */
  readonly byAddress: ReadonlyMap<string, string>;
}

/**
 * Pods of which the same is said share a chain. Where two Pods have one address (one takes it over from the other),
 * what comes must be allowed by both: a table that names an address twice is none.
 */
function chainsOf(pods: readonly Isolation[], direction: 'in' | 'out'): Chains {
  const chains = new Map<string, readonly string[]>();
  const add = (lines: readonly string[]): string => {
    const hash = createHash('sha256').update(lines.join('\n')).digest('hex');
    const name = `${direction}-${hash.slice(0, 32)}`;
    chains.set(name, lines);
    return name;
  };
  // Permissions of one rule are the same object for all Pods of its policy.
  const known = new Map<Permission, readonly string[]>();
  const rulesOf = (permission: Permission): readonly string[] => {
    const rules =
      known.get(permission) ?? permissionRules(direction === 'in' ? 'saddr' : 'daddr', permission);
    known.set(permission, rules);
    return rules;
  };
  const ofAddress = new Map<string, Set<string>>();
  for (const { addresses, ingress, egress } of pods) {
    const permissions = direction === 'in' ? ingress : egress;
    if (permissions === undefined) continue;
    const name = add(podChain(permissions.flatMap(rulesOf)));
    for (const address of addresses) ofAddress.set(address, (ofAddress.get(address) ?? new Set()).add(name));
  }
  const byAddress = new Map(
    [...ofAddress].map(([address, names]) => {
      const [only = '', ...more] = names;
      return [address, more.length === 0 ? only : add([...names].toSorted().map((name) => `jump ${name}`))];
    }),
  );
  return { chains, byAddress };
}

function elements({ byAddress }: Chains, family: 4 | 6): readonly string[] {
  return [...byAddress]
    .filter(([address]) => address.includes(':') === (family === 6))
    .map(([address, name]) => `${address} : jump ${name}`);
}

function podChain(allowed: readonly string[]): readonly string[] {
  return [
    // Neighbours must be found, or nothing works; policies are about addresses.
    'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, nd-router-advert } return',
    ...new Set(allowed),
    'counter drop',
  ];
}

function permissionRules(side: 'saddr' | 'daddr', { peers, ports }: Permission): readonly string[] {
  const who = peers === undefined ? [''] : peerMatches(side, peers);
  const what =
    ports === undefined
      ? ['']
      : ports.map(({ protocol, ranges }) =>
          ranges === undefined ? `meta l4proto ${protocol}` : `${protocol} dport { ${ranges.join(', ')} }`,
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
      ...(plain.length === 0 ? [] : [`${family} ${side} { ${mergedPrefixes(plain).join(', ')} }`]),
      ...cut.map(
        ({ cidr, except = [] }) => `${family} ${side} ${cidr} ${family} ${side} != { ${except.join(', ')} }`,
      ),
    ];
  });
}

function base(hook: 'forward' | 'input', rules: readonly string[]): string {
  return chain(hook, [
    `type filter hook ${hook} priority filter + 10; policy accept;`,
    'ct state established,related accept',
    ...rules,
  ]);
}

function chain(name: string, lines: readonly string[]): string {
  return [`  chain ${name} {`, ...lines.map((line) => `    ${line}`), '  }'].join('\n');
}

function map(name: string, family: 4 | 6, content: readonly string[]): string {
  return [
    `  map ${name} {`,
    `    type ${family === 4 ? 'ipv4_addr' : 'ipv6_addr'} : verdict`,
    ...(content.length === 0 ? [] : [`    elements = { ${content.join(', ')} }`]),
    '  }',
  ].join('\n');
}
