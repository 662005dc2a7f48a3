/**
 * The picture of one interface: a column of boxes from the Pod's NIC down to the guest's, with what each has
 * counted between them, and the rules of nftables beside the place where they act. Pure.
 */
import type { Hop, HopCounters, InterfacePicture, RuleLine } from '@podvisor/api';

const WIDTH = 50;
/** Of the whole picture. */
const COLUMNS = 80;
const ROLES: Readonly<Record<Hop['role'], string>> = {
  'pod-nic': "Pod's interface",
  bridge: 'bridge',
  tap: "TAP, QEMU's end",
  passt: "relays over the Pod's own sockets",
};

/** `before`: an earlier picture, from which what was added since is told. */
export function drawInterface(picture: InterfacePicture, before?: InterfacePicture): string {
  const silent = (picture.gateways ?? []).filter(({ answers }) => answers === false);
  const lines = [
    `${picture.name} (${picture.binding})`,
    ...silent.map(({ address }) => `  gateway ${address} does not answer the Pod: nothing gets in or out`),
  ];
  for (const [index, hop] of picture.hops.entries()) {
    lines.push(...box(hopLines(hop)));
    const earlier = before?.hops.find(({ device }) => device === hop.device)?.counters;
    lines.push(...traffic(hop, earlier, picture.binding));
    const isNat = index === 0 && picture.rules.length > 0;
    if (isNat) lines.push(...rules(picture.rules, before?.rules));
  }
  lines.push(...box(guestLines(picture), '─'));
  return lines.join('\n');
}

function hopLines({ role, device, exists, kind, state, mtu, mac, addresses = [] }: Hop): readonly string[] {
  if (!exists) return [`${device}  ${ROLES[role]}`, 'MISSING'];
  const facts = [
    mac,
    mtu === undefined ? undefined : `mtu ${mtu}`,
    // Only of the Pod's own NIC is it not said by its role.
    role === 'pod-nic' ? kind : undefined,
  ].filter((part) => part !== undefined);
  return [
    `${device}  ${ROLES[role]}  ${state ?? ''}`.trimEnd(),
    ...(facts.length === 0 ? [] : [facts.join('  ')]),
    ...addresses.filter((address) => !address.startsWith('fe80:')),
  ];
}

function guestLines({ binding, guest: { mac, mtu, addresses, lease } }: InterfacePicture): readonly string[] {
  return [
    'guest',
    `${mac}  mtu ${mtu}`,
    ...(addresses.length === 0 ? ['no address from us'] : addresses),
    ...(lease === undefined ? [] : [`taken by DHCP at ${lease.at.slice(11, 19)} UTC`]),
    ...(binding === 'passt' ? ["by passt's own DHCP and advertisements"] : []),
  ];
}

function box(lines: readonly string[], below = '┬'): readonly string[] {
  return [
    `  ┌${'─'.repeat(WIDTH)}┐`,
    ...lines.map((line) => `  │ ${line.padEnd(WIDTH - 2).slice(0, WIDTH - 2)} │`),
    `  └${'─'.repeat(WIDTH / 2)}${below}${'─'.repeat(WIDTH / 2 - 1)}┘`,
  ];
}

/**
 * To the guest is what a NIC receives and a TAP sends; a bridge sees both from its own side. Frames that a bridge passes
 * on from port to port it does not count: those of a bridged guest are not among its own.
 */
function traffic(
  { role, counters }: Hop,
  before: HopCounters | undefined,
  binding: string,
): readonly string[] {
  const pad = ' '.repeat(WIDTH / 2 + 3);
  if (counters === undefined) return [`${pad}│`];
  const { rxPackets, rxBytes, rxDropped, txPackets, txBytes, txDropped } = counters;
  const since = (now: number, then: number | undefined): string =>
    then === undefined || now === then ? '' : ` (+${now - then})`;
  const received = `${rxPackets} packets, ${bytesText(rxBytes)}${since(rxPackets, before?.rxPackets)}`;
  const sent = `${txPackets} packets, ${bytesText(txBytes)}${since(txPackets, before?.txPackets)}`;
  const [down, up] = role === 'pod-nic' ? [received, sent] : [sent, received];
  const dropped = rxDropped + txDropped;
  if (role === 'bridge' && binding !== 'masquerade')
    return [`${pad}│  itself: ↓ ${txPackets}, ↑ ${rxPackets} packets`];
  return [
    `${pad}│  ↓ ${down}`,
    `${pad}│  ↑ ${up}`,
    ...(dropped === 0 ? [] : [`${pad}│  ✗ ${dropped} dropped`]),
  ];
}

function rules(list: readonly RuleLine[], before: readonly RuleLine[] | undefined): readonly string[] {
  const width = Math.max(...list.map(({ chain }) => chain.length));
  return list.flatMap((rule, index) => {
    const now = rule.packets;
    const then = before?.[index]?.text === rule.text ? before[index]?.packets : undefined;
    const added = now === undefined || then === undefined || now === then ? '' : ` (+${now - then})`;
    const count = now === undefined ? '' : `[${now}${added}] `;
    const head = `    nft ${rule.family.padEnd(3)} ${rule.chain.padEnd(width)}  `;
    return folded(`${count}${rule.text}`, COLUMNS - head.length).map((line, i) =>
      i === 0 ? `${head}${line}` : `${' '.repeat(head.length)}${line}`,
    );
  });
}

/** The text in lines of at most `room` columns, parted between words; a word that is longer has its own. */
function folded(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? word : `  ${word}`);
  }
  return lines;
}

function bytesText(bytes: number): string {
  if (bytes < 10_000) return `${bytes} B`;
  if (bytes < 10_000_000) return `${(bytes / 1000).toFixed(0)} kB`;
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
