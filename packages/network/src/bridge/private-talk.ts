/**
 * What belongs to a bridged guest and its bridge (questions and answers of DHCP, solicitations, advertisements) neither
 * leaves the Pod nor comes in: guests on one network would answer each other, and one that means harm would give the
 * others their addresses and their way out. Of a family that we do not serve here everything passes: others do. Pure.
 */
import type { Action } from '../binding.ts';

export interface PrivateTalk {
  readonly bridge: string;
  /** The Pod's own NIC, as it is called now. */
  readonly moved: string;
  /** Families in which the guest is told its address by us. */
  readonly families: readonly (4 | 6)[];
}

const SERVER_PORT = { 4: 67, 6: 547 } as const;
const CLIENT_PORT = { 4: 68, 6: 546 } as const;

/** One transaction; may be repeated. */
export function privateTalk({ bridge, moved, families }: PrivateTalk): Action {
  const ports = (of: Readonly<Record<4 | 6, number>>): string =>
    `udp dport { ${families.map((family) => of[family]).join(', ')} }`;
  const [servers, clients] = [ports(SERVER_PORT), ports(CLIENT_PORT)];
  const ifIpv6 = (...rules: readonly string[]): readonly string[] => (families.includes(6) ? rules : []);
  const chain = (hook: string, rules: readonly string[]): readonly string[] => [
    `  chain ${hook} {`,
    `    type filter hook ${hook} priority 0; policy accept;`,
    ...rules.map((rule) => `    ${rule} counter drop`),
    '  }',
  ];
  return {
    kind: 'nft',
    // IPv4 was served before there was such a table, also by kernels that have none.
    ...(families.includes(6) ? {} : { optional: true }),
    script: [
      removePrivateTalk(bridge),
      `table bridge ${bridge} {`,
      ...chain('forward', [
        `oifname "${moved}" ${servers}`,
        `iifname "${moved}" ${clients}`,
        ...ifIpv6(
          `oifname "${moved}" icmpv6 type nd-router-solicit`,
          `iifname "${moved}" icmpv6 type nd-router-advert`,
        ),
      ]),
      ...chain('input', [
        `iifname "${moved}" ${servers}`,
        ...ifIpv6(`iifname "${moved}" icmpv6 type { nd-router-solicit, nd-router-advert }`),
      ]),
      ...chain('output', [
        `oifname "${moved}" ${clients}`,
        ...ifIpv6(`oifname "${moved}" icmpv6 type nd-router-advert`),
      ]),
      '}',
      '',
    ].join('\n'),
  };
}

/** Script that leaves no such table, whether there was one or not. */
export function removePrivateTalk(bridge: string): string {
  return `table bridge ${bridge} {}\ndelete table bridge ${bridge}\n`;
}
