/**
 * The path of a packet between the Pod's NIC and the guest's, as it is now: devices in order, with their
 * counters, and the rules that apply. For people: `virtctl net` draws it.
 */
import type { DomainInterface, Hop, InterfaceAttachment, InterfacePicture, RuleLine } from '@podvisor/api';
import { nftTable, runInNetns } from '@podvisor/sys';
import { movedInterfaceName } from './names.ts';

interface LinkWithCounters {
  readonly ifname: string;
  readonly operstate: string;
  readonly address?: string;
  readonly mtu: number;
  readonly linkinfo?: { readonly info_kind?: string; readonly info_data?: { readonly mode?: string } };
  readonly addr_info?: readonly { readonly local: string; readonly prefixlen: number }[];
  readonly stats64?: Readonly<
    Record<'rx' | 'tx', { readonly packets: number; readonly bytes: number; readonly dropped: number }>
  >;
}

/** Looks at the Pod's namespace; `nics`: what the launcher says of the guest's NICs. */
export async function takePicture(
  nsPath: string,
  attachments: readonly InterfaceAttachment[],
  nics: readonly DomainInterface[] = [],
): Promise<readonly InterfacePicture[]> {
  const links = await runInNetns(nsPath, 'ip', ['-j', '-d', '-s', 'addr', 'show']);
  const observed = JSON.parse(links.stdout || '[]') as readonly LinkWithCounters[];
  const [routes, neighbours] = await Promise.all([
    listOf<Route>(nsPath, ['route', 'show', 'default']),
    listOf<Neighbour>(nsPath, ['neigh', 'show']),
  ]);
  return Promise.all(
    attachments.map(async (attachment) => ({
      ...pictureOf(attachment, observed, await rulesFor(nsPath, attachment), nics),
      gateways: gatewaysOf(attachment.podInterface, routes, neighbours),
    })),
  );
}

interface Route {
  readonly gateway?: string;
  readonly dev?: string;
}

interface Neighbour {
  readonly dst: string;
  readonly dev: string;
  readonly state?: readonly string[];
}

/** Of both families. */
async function listOf<T>(nsPath: string, words: readonly string[]): Promise<readonly T[]> {
  const texts = await Promise.all(
    ['-4', '-6'].map((family) => runInNetns(nsPath, 'ip', [family, '-j', ...words], { okCodes: [0, 1, 2] })),
  );
  return texts.flatMap(({ stdout }) => JSON.parse(stdout.trim() || '[]') as readonly T[]);
}

/** Pure. A gateway that was asked and has not answered is a hole right behind the Pod. */
export function gatewaysOf(
  device: string,
  routes: readonly Route[],
  neighbours: readonly Neighbour[],
): NonNullable<InterfacePicture['gateways']> {
  return routes.flatMap(({ gateway, dev }) => {
    if (gateway === undefined || dev !== device) return [];
    const state = neighbours.find((one) => one.dst === gateway && one.dev === device)?.state?.[0];
    if (state === undefined) return [{ address: gateway }];
    return [{ address: gateway, answers: state !== 'FAILED' && state !== 'INCOMPLETE' }];
  });
}

/** The rules that the guest's packets meet: NAT of a masqueraded one, what a bridged one keeps to itself. */
async function rulesFor(
  nsPath: string,
  { binding, bridge }: InterfaceAttachment,
): Promise<readonly RuleLine[]> {
  const tables =
    binding === 'masquerade'
      ? ([
          ['ip', 'nat'],
          ['ip6', 'nat'],
        ] as const)
      : bridge === undefined
        ? []
        : ([['bridge', bridge]] as const);
  const texts = await Promise.all(tables.map(([family, name]) => nftTable(nsPath, family, name)));
  return tables.flatMap(([family], i) => rulesOf(family, texts[i] ?? ''));
}

/** Pure: one interface among what was observed. */
export function pictureOf(
  attachment: InterfaceAttachment,
  links: readonly LinkWithCounters[],
  rules: readonly RuleLine[],
  nics: readonly DomainInterface[] = [],
): InterfacePicture {
  const { name, binding, podInterface, bridge, tapDevice, mac, mtu, dhcp, dhcp6 } = attachment;
  // Behind a bridge of its own, a guest takes the place of the Pod's NIC, which goes on under another name.
  const isMoved = binding !== 'masquerade' && bridge !== undefined;
  const podNic = isMoved ? movedInterfaceName(podInterface) : podInterface;
  const nic = nics.find((candidate) => candidate.name === name);
  const guestCidr = dhcp === undefined ? [] : [dhcp.clientCidr];
  return {
    name,
    binding,
    hops: [
      hop('pod-nic', podNic, links),
      ...(bridge === undefined ? [] : [hop('bridge', bridge, links)]),
      ...(tapDevice === undefined ? [] : [hop('tap', tapDevice, links)]),
      ...(binding === 'passt' ? [{ role: 'passt', device: 'passt', exists: true } as const] : []),
    ],
    guest: {
      mac,
      ...(binding === 'passt'
        ? passtGuest(hop('pod-nic', podNic, links))
        : { mtu, addresses: [...guestCidr, ...(dhcp6 === undefined ? [] : [dhcp6.clientAddress])] }),
      servesDhcp: dhcp !== undefined || dhcp6 !== undefined,
      ...(nic?.lease === undefined ? {} : { lease: nic.lease }),
      ...(nic?.source === 'guest-agent' ? { reported: nic.ipAddresses ?? [] } : {}),
    },
    rules,
  };
}

/** passt tells by DHCPv4 that frames may be as long as it can take; advertisements cannot raise an MTU. */
const PASST_MTU = 65_520;
const ETHERNET_MTU = 1500;

/** A guest behind passt is told the Pod's own addresses, by passt. */
function passtGuest({ addresses = [] }: Hop): Pick<InterfacePicture['guest'], 'mtu' | 'addresses'> {
  const own = addresses.filter((address) => !address.startsWith('fe80:'));
  return { mtu: own.some((address) => !address.includes(':')) ? PASST_MTU : ETHERNET_MTU, addresses: own };
}

function hop(role: Hop['role'], device: string, links: readonly LinkWithCounters[]): Hop {
  const link = links.find(({ ifname }) => ifname === device);
  if (link === undefined) return { role, device, exists: false };
  const { rx, tx } = link.stats64 ?? {};
  const { info_kind: kind, info_data: { mode } = {} } = link.linkinfo ?? {};
  return {
    role,
    device,
    exists: true,
    ...(kind === undefined ? {} : { kind: mode === undefined ? kind : `${kind} ${mode}` }),
    state: link.operstate,
    mtu: link.mtu,
    ...(link.address === undefined ? {} : { mac: link.address }),
    addresses: (link.addr_info ?? []).map(({ local, prefixlen }) => `${local}/${prefixlen}`),
    ...(rx === undefined || tx === undefined
      ? {}
      : {
          counters: {
            rxPackets: rx.packets,
            rxBytes: rx.bytes,
            rxDropped: rx.dropped,
            txPackets: tx.packets,
            txBytes: tx.bytes,
            txDropped: tx.dropped,
          },
        }),
  };
}

/** Rules out of nft's text; chains that hold none are left out. */
export function rulesOf(family: RuleLine['family'], table: string): readonly RuleLine[] {
  let chain = '';
  return table.split('\n').flatMap((line): RuleLine[] => {
    const text = line.trim();
    const opened = /^chain (\S+) \{$/.exec(text);
    if (opened !== null) chain = opened[1] ?? '';
    const isRule = chain !== '' && text !== '' && text !== '}' && !/^(chain|type|table) /.test(text);
    if (text === '}') chain = '';
    if (!isRule) return [];
    const packets = /counter packets (\d+) bytes \d+ ?/.exec(text);
    return [
      {
        family,
        chain,
        text: packets === null ? text : text.replace(packets[0], ''),
        ...(packets === null ? {} : { packets: Number(packets[1]) }),
      },
    ];
  });
}
