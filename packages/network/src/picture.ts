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
  const [links, ip, ip6] = await Promise.all([
    runInNetns(nsPath, 'ip', ['-j', '-s', 'addr', 'show']),
    nftTable(nsPath, 'ip', 'nat'),
    nftTable(nsPath, 'ip6', 'nat'),
  ]);
  const observed = JSON.parse(links.stdout || '[]') as readonly LinkWithCounters[];
  const rules = [...rulesOf('ip', ip ?? ''), ...rulesOf('ip6', ip6 ?? '')];
  return attachments.map((attachment) => pictureOf(attachment, observed, rules, nics));
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
    ],
    guest: {
      mac,
      mtu,
      addresses: [...guestCidr, ...(dhcp6 === undefined ? [] : [dhcp6.clientAddress])],
      servesDhcp: dhcp !== undefined || dhcp6 !== undefined,
      ...(nic?.lease === undefined ? {} : { lease: nic.lease }),
      ...(nic?.source === 'guest-agent' ? { reported: nic.ipAddresses ?? [] } : {}),
    },
    // Only masquerade works with rules; those of a Pod belong to its one such interface.
    rules: binding === 'masquerade' ? rules : [],
  };
}

function hop(role: Hop['role'], device: string, links: readonly LinkWithCounters[]): Hop {
  const link = links.find(({ ifname }) => ifname === device);
  if (link === undefined) return { role, device, exists: false };
  const { rx, tx } = link.stats64 ?? {};
  return {
    role,
    device,
    exists: true,
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
