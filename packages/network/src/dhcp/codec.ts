/**
 * DHCPv4 packets (RFC 2131, options RFC 2132). A packet is a guest's input: reading one looks at no more
 * than its bytes, keeps no more than its options, and rejects what is not well-formed.
 */
import { ipv4Text, parseIpv4 } from '../address.ts';

/** Values of option 53. */
export const MESSAGE_TYPE = {
  discover: 1,
  offer: 2,
  request: 3,
  decline: 4,
  ack: 5,
  nak: 6,
  release: 7,
  inform: 8,
} as const;

export interface DhcpPacket {
  /** 1: from a client, 2: from a server. */
  readonly op: 1 | 2;
  readonly transactionId: number;
  readonly seconds: number;
  /** The client cannot yet receive unicast. */
  readonly broadcast: boolean;
  readonly clientAddress: string;
  readonly yourAddress: string;
  readonly serverAddress: string;
  readonly relayAddress: string;
  /** Six bytes, `aa:bb:…`. */
  readonly mac: string;
  /** Option code → its bytes, in order. Codes 0 (pad) and 255 (end) are never here. */
  readonly options: ReadonlyMap<number, Uint8Array>;
}

/** The bytes are not a DHCP packet over Ethernet. */
export class DhcpPacketError extends Error {
  constructor(what: string) {
    super(`not a DHCP packet: ${what}`);
    this.name = 'DhcpPacketError';
  }
}

const HEADER_BYTES = 236;
const COOKIE = 0x63825363;
const OPTIONS_AT = HEADER_BYTES + 4;
/** RFC 951: BOOTP packets have 300 bytes, and some relays and clients drop shorter ones. */
const MIN_BYTES = 300;
/** A packet fits one Ethernet frame. */
export const MAX_BYTES = 1472;

export function decodePacket(bytes: Uint8Array): DhcpPacket {
  if (bytes.length < OPTIONS_AT) throw new DhcpPacketError('it is cut short');
  if (bytes.length > MAX_BYTES) throw new DhcpPacketError('it is too long');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const op = view.getUint8(0);
  if (op !== 1 && op !== 2) throw new DhcpPacketError(`operation ${op}`);
  if (view.getUint8(1) !== 1 || view.getUint8(2) !== 6) throw new DhcpPacketError('the link is not Ethernet');
  if (view.getUint32(HEADER_BYTES) !== COOKIE) throw new DhcpPacketError('the magic cookie is missing');
  return {
    op,
    transactionId: view.getUint32(4),
    seconds: view.getUint16(8),
    broadcast: (view.getUint16(10) & 0x8000) !== 0,
    clientAddress: ipv4Text(view.getUint32(12)),
    yourAddress: ipv4Text(view.getUint32(16)),
    serverAddress: ipv4Text(view.getUint32(20)),
    relayAddress: ipv4Text(view.getUint32(24)),
    mac: [...bytes.subarray(28, 34)].map((b) => b.toString(16).padStart(2, '0')).join(':'),
    options: decodeOptions(bytes.subarray(OPTIONS_AT)),
  };
}

function decodeOptions(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const options = new Map<number, Uint8Array>();
  let at = 0;
  while (at < bytes.length) {
    const code = bytes[at] ?? 255;
    if (code === 255) return options;
    if (code === 0) {
      at += 1;
      continue;
    }
    const length = bytes[at + 1];
    if (length === undefined || at + 2 + length > bytes.length)
      throw new DhcpPacketError(`option ${code} is cut short`);
    const value = bytes.slice(at + 2, at + 2 + length);
    const earlier = options.get(code);
    // RFC 3396: a value longer than 255 bytes comes in several pieces.
    options.set(code, earlier === undefined ? value : Buffer.concat([earlier, value]));
    at += 2 + length;
  }
  return options;
}

/** Bytes of a packet. Throws RangeError when the options do not fit one frame. */
export function encodePacket(packet: DhcpPacket): Uint8Array {
  const options = [...packet.options].flatMap(([code, value]) => encodeOption(code, value));
  const length = Math.max(MIN_BYTES, OPTIONS_AT + options.length + 1);
  if (length > MAX_BYTES) throw new RangeError(`a DHCP packet of ${length} bytes does not fit one frame`);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, packet.op);
  view.setUint8(1, 1);
  view.setUint8(2, 6);
  view.setUint32(4, packet.transactionId);
  view.setUint16(8, packet.seconds);
  view.setUint16(10, packet.broadcast ? 0x8000 : 0);
  view.setUint32(12, parseIpv4(packet.clientAddress));
  view.setUint32(16, parseIpv4(packet.yourAddress));
  view.setUint32(20, parseIpv4(packet.serverAddress));
  view.setUint32(24, parseIpv4(packet.relayAddress));
  bytes.set(
    packet.mac.split(':').map((part) => Number.parseInt(part, 16)),
    28,
  );
  view.setUint32(HEADER_BYTES, COOKIE);
  bytes.set([...options, 255], OPTIONS_AT);
  return bytes;
}

function encodeOption(code: number, value: Uint8Array): number[] {
  if (value.length === 0) return [code, 0];
  const out: number[] = [];
  for (let at = 0; at < value.length; at += 255) {
    const piece = value.subarray(at, at + 255);
    out.push(code, piece.length, ...piece);
  }
  return out;
}
