/**
 * The network of a running guest, link by link: gateway of the Pod (where it does not answer) → Pod NIC → bridge → TAP
 * → DHCP lease → guest address, each with what shows it, and the first that is broken. Pure.
 */
import type { Hop, InterfacePicture } from '@podvisor/api';

export interface ChainLink {
  readonly name: string;
  /** `unknown`: nothing says so, and nothing says the contrary. */
  readonly state: 'good' | 'broken' | 'unknown';
  readonly evidence: string;
}

export interface NetworkChain {
  readonly interface: string;
  readonly binding: string;
  readonly links: readonly ChainLink[];
}

/** `moved`: the guest came here by a live migration. */
export function networkChain(picture: InterfacePicture, moved = false): NetworkChain {
  return {
    interface: picture.name,
    binding: picture.binding,
    links: [
      ...(picture.gateways ?? []).flatMap(({ address, answers }): ChainLink[] =>
        answers === false
          ? [{ name: 'gateway', state: 'broken', evidence: `${address} does not answer the Pod` }]
          : [],
      ),
      // Nothing in the Pod's namespace shows whether passt runs: what the guest does must tell.
      ...picture.hops.flatMap((hop) => (hop.role === 'passt' ? [] : [hopLink(hop.role, hop)])),
      ...(picture.guest.servesDhcp === true ? [leaseLink(picture, moved)] : []),
      addressLink(picture),
    ],
  };
}

const ROLES = { 'pod-nic': 'Pod NIC', bridge: 'bridge', tap: 'TAP' } as const;

function hopLink(role: keyof typeof ROLES, { device, exists, state, counters }: Hop): ChainLink {
  const name = ROLES[role];
  if (!exists) return { name, state: 'broken', evidence: `${device} is missing in the Pod` };
  // A TAP that QEMU has closed, and a NIC without a cable, are down.
  if (state === 'DOWN' || state === 'LOWERLAYERDOWN')
    return { name, state: 'broken', evidence: `${device} is ${state}` };
  const traffic =
    counters === undefined ? '' : `, ${counters.rxPackets} packets in, ${counters.txPackets} out`;
  return { name, state: 'good', evidence: `${device} is ${state ?? 'there'}${traffic}` };
}

function leaseLink({ hops, guest }: InterfacePicture, moved: boolean): ChainLink {
  const name = 'DHCP lease';
  if (guest.lease !== undefined)
    return { name, state: 'good', evidence: `${guest.lease.address} taken at ${guest.lease.at}` };
  if (moved)
    return { name, state: 'unknown', evidence: 'not asked for again since the guest moved to this node' };
  // What a TAP receives is what the guest has sent.
  const spoken = hops.find(({ role }) => role === 'tap')?.counters?.rxPackets ?? 0;
  return spoken === 0
    ? {
        name,
        state: 'broken',
        evidence: 'the guest has not sent a single packet: it still boots, or has no driver',
      }
    : {
        name,
        state: 'unknown',
        evidence: `not asked for; the guest has sent ${spoken} packets (a static address?)`,
      };
}

function addressLink({ guest }: InterfacePicture): ChainLink {
  const name = 'guest address';
  const wanted = guest.addresses.map((address) => address.replace(/\/.*$/, ''));
  if (guest.reported === undefined)
    return { name, state: 'unknown', evidence: 'no guest agent tells which addresses the guest has' };
  const missing = wanted.filter((address) => guest.reported?.includes(address) !== true);
  const has = guest.reported.length === 0 ? 'none' : guest.reported.join(', ');
  return missing.length === 0
    ? { name, state: 'good', evidence: `the guest has ${has}` }
    : { name, state: 'broken', evidence: `the guest has ${has}, and not ${missing.join(', ')}` };
}

/** The chain in one line, and a line for what is not good. */
export function chainLines({ interface: nic, binding, links }: NetworkChain): readonly string[] {
  const marks = { good: '✓', broken: '✗', unknown: '?' } as const;
  const line = links.map(({ name, state }) => `${name} ${marks[state]}`).join(' → ');
  return [
    `${nic} (${binding}): ${line}`,
    ...links.map(({ name, state, evidence }) => `  ${marks[state]} ${name}: ${evidence}`),
  ];
}
