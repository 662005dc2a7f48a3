/** The cells of the network matrix, and the networks and first-boot data that they need. Pure. */
import type { Interface } from '@podvisor/api';

export type Families = 'ipv4' | 'ipv6' | 'dual';
export type Binding = 'masquerade' | 'bridge' | 'passt';
/** How the guest learns its network: by DHCP and router advertisements alone, or by network data of cloud-init. */
export type Way = 'dhcp' | 'network-data';

export interface Cell {
  readonly families: Families;
  readonly binding: Binding;
  readonly way: Way;
  /** Of the Pod's NIC. */
  readonly mtu: number;
  /** Each way. With both families it goes by IPv6, and a little by IPv4, whose bulk is that of a cell with IPv4 alone. */
  readonly megabytes: number;
}

export const INTERFACES: Readonly<Record<Binding, Partial<Interface>>> = {
  masquerade: { masquerade: {} },
  bridge: { bridge: {} },
  passt: { passtBinding: {} },
};

/** MTU of Pods on the embedded home's own network. */
export const POD_MTU = 1500;
/** Where bulk is not the question. */
export const FEW_MEGABYTES = 8;

/** Each MTU, and both ways of learning the network. */
export function cellsOf(
  families: Families,
  binding: Binding,
  megabytes: number,
  mtus: readonly number[],
  ways: readonly Way[],
): readonly Cell[] {
  return mtus.flatMap((mtu) => ways.map((way) => ({ families, binding, way, mtu, megabytes })));
}

/** A name for VMs and networks. */
export function nameOf({ families, binding, way, mtu }: Cell): string {
  return `${binding}-${families}-${mtu}-${way}`;
}

export function ipFamilies(families: Families): readonly (4 | 6)[] {
  return families === 'dual' ? [4, 6] : [families === 'ipv4' ? 4 : 6];
}

/** A network whose bridge is the machine's: its first addresses are where guests find the machine. */
export interface SideNetwork {
  readonly name: string;
  readonly bridge: string;
  readonly mtu: number;
  readonly families: Families;
  readonly prefix4: string;
  readonly prefix6: string;
}

/** Configuration of the network plugin. */
export function pluginConfig({ bridge, mtu, families, prefix4, prefix6 }: SideNetwork): string {
  const ranges = ipFamilies(families).map((family) => [
    { subnet: family === 4 ? `${prefix4}.0/24` : `${prefix6}::/64` },
  ]);
  const routes = ipFamilies(families).map((family) => ({ dst: family === 4 ? '0.0.0.0/0' : '::/0' }));
  return JSON.stringify({
    cniVersion: '0.4.0',
    type: 'bridge',
    bridge,
    mtu,
    isGateway: true,
    ipam: { type: 'host-local', ranges, routes },
  });
}

/** What DHCP would tell a masqueraded guest; others have their Pod's address, which nobody knows before. */
export function networkData({ binding, families, mtu }: Cell, dnsServer: string): string {
  const has = (family: 4 | 6): boolean => ipFamilies(families).includes(family);
  if (binding !== 'masquerade')
    return ['version: 2', 'ethernets:', '  eth0:', `    dhcp4: ${has(4)}`, `    dhcp6: ${has(6)}`, ''].join(
      '\n',
    );
  return [
    'version: 2',
    'ethernets:',
    '  eth0:',
    '    addresses:',
    ...(has(4) ? ['      - 10.0.2.2/24'] : []),
    ...(has(6) ? ['      - "fd10:0:2::2/120"'] : []),
    ...(has(4) ? ['    gateway4: 10.0.2.1'] : []),
    ...(has(6) ? ['    routes:', '      - to: "::/0"', '        via: "fe80::1"'] : []),
    `    mtu: ${staticMtu(mtu)}`,
    '    nameservers:',
    '      search: [svc.cluster.local]',
    '      addresses:',
    `        - "${dnsServer}"`,
    '',
  ].join('\n');
}

/** What network data tells a masqueraded guest: smaller than what DHCP would. */
export function staticMtu(podMtu: number): number {
  return podMtu - 50;
}
