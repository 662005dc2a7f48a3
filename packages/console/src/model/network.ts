/** The way of a packet as the page draws it: boxes from the Pod's NIC to the guest's. Pure. */
import type { Hop, InterfacePicture } from '@podvisor/api';
import type { Tone } from './rows.ts';
import { bytesText } from './units.ts';
import { networkText } from '../texts/network.ts';
import { unitsText } from '../texts/usage.ts';

export interface NetworkBox {
  readonly title: string;
  readonly state: string;
  readonly tone: Tone;
  readonly facts: readonly string[];
  /** Towards the guest, and from it, a second; absent: not counted there, or not yet known. */
  readonly traffic?: { readonly toGuest: string; readonly fromGuest: string };
}

const ROLES: Readonly<Record<Hop['role'], string>> = networkText.roles;

export function boxesOf(
  picture: InterfacePicture,
  before?: InterfacePicture,
  betweenMs?: number,
): readonly NetworkBox[] {
  const hops = picture.hops.map((hop): NetworkBox => {
    const earlier = before?.hops.find(({ device }) => device === hop.device);
    const traffic = trafficOf(hop, earlier, betweenMs);
    const { state = networkText.there } = hop;
    return {
      title: `${ROLES[hop.role]} ${hop.device}`,
      state: hop.exists ? state : networkText.missing,
      tone: !hop.exists || /DOWN/.test(state) ? 'bad' : 'good',
      facts: [
        ...(hop.mac === undefined ? [] : [hop.mac]),
        ...(hop.mtu === undefined ? [] : [`MTU ${hop.mtu}`]),
        ...(hop.addresses ?? []).filter((address) => !address.startsWith('fe80:')),
        ...droppedOf(hop),
      ],
      ...(traffic === undefined ? {} : { traffic }),
    };
  });
  return [...hops, guestBox(picture)];
}

function guestBox({ guest: { mac, mtu, addresses, lease, reported } }: InterfacePicture): NetworkBox {
  const has = reported ?? (lease === undefined ? undefined : [lease.address]);
  return {
    title: networkText.guest,
    state: has === undefined ? networkText.noAddress : networkText.has(has.join(', ')),
    tone: has === undefined ? 'busy' : 'good',
    facts: [mac, `MTU ${mtu}`, ...addresses.map(networkText.isTold)],
  };
}

/** To the guest is what a NIC receives and a TAP sends; a bridge counts only what is its own. */
function trafficOf(
  { role, counters }: Hop,
  earlier: Hop | undefined,
  betweenMs: number | undefined,
): NetworkBox['traffic'] {
  const then = earlier?.counters;
  if (role === 'bridge' || counters === undefined || then === undefined || !betweenMs) return undefined;
  const rate = (now: number, was: number): string =>
    unitsText.perSecond(bytesText((Math.max(0, now - was) * 1000) / betweenMs));
  const received = rate(counters.rxBytes, then.rxBytes);
  const sent = rate(counters.txBytes, then.txBytes);
  return role === 'pod-nic' ? { toGuest: received, fromGuest: sent } : { toGuest: sent, fromGuest: received };
}

function droppedOf({ counters }: Hop): readonly string[] {
  const dropped = (counters?.rxDropped ?? 0) + (counters?.txDropped ?? 0);
  return dropped === 0 ? [] : [networkText.dropped(dropped)];
}

/** Gateways that were asked and said nothing. */
export function silentGateways({ gateways = [] }: InterfacePicture): readonly string[] {
  return gateways.filter(({ answers }) => answers === false).map(({ address }) => address);
}
