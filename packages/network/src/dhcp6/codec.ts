/**
 * DHCPv6 messages (RFC 8415). A message is a guest's input: reading one looks at no more than its bytes,
 * keeps no more than its options, and rejects what is not well-formed.
 */

/** RFC 8415, 7.3. */
export const MESSAGE6 = {
  solicit: 1,
  advertise: 2,
  request: 3,
  confirm: 4,
  renew: 5,
  rebind: 6,
  reply: 7,
  release: 8,
  decline: 9,
  informationRequest: 11,
} as const;

/** RFC 8415, 21; RFC 3646 (23, 24); RFC 4704 (39). */
export const OPTION6 = {
  clientId: 1,
  serverId: 2,
  identityAssociation: 3,
  address: 5,
  requested: 6,
  status: 13,
  rapidCommit: 14,
  dnsServers: 23,
  domainSearch: 24,
  fqdn: 39,
} as const;

export interface Option6 {
  readonly code: number;
  readonly value: Uint8Array;
}

export interface Message6 {
  readonly type: number;
  /** 24 bits. */
  readonly transactionId: number;
  readonly options: readonly Option6[];
}

/** The bytes are not a DHCPv6 message of a client. */
export class Message6Error extends Error {
  constructor(what: string) {
    super(`not a DHCPv6 message: ${what}`);
    this.name = 'Message6Error';
  }
}

/** A message fits one Ethernet frame. */
export const MAX_MESSAGE6_BYTES = 1452;
const MAX_OPTIONS = 64;

export function decodeMessage6(bytes: Uint8Array): Message6 {
  if (bytes.length < 4) throw new Message6Error('it is cut short');
  if (bytes.length > MAX_MESSAGE6_BYTES) throw new Message6Error('it is too long');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    type: view.getUint8(0),
    transactionId: view.getUint32(0) & 0xff_ffff,
    options: decodeOptions6(bytes.subarray(4)),
  };
}

/** Options one after another; also those inside another option. */
export function decodeOptions6(bytes: Uint8Array): readonly Option6[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const options: Option6[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) throw new Message6Error('an option is cut short');
    const code = view.getUint16(at);
    const end = at + 4 + view.getUint16(at + 2);
    if (end > bytes.length) throw new Message6Error(`option ${code} is cut short`);
    if (options.length === MAX_OPTIONS) throw new Message6Error('it has too many options');
    options.push({ code, value: bytes.slice(at + 4, end) });
    at = end;
  }
  return options;
}

export function encodeMessage6({ type, transactionId, options }: Message6): Uint8Array {
  const body = encodeOptions6(options);
  const bytes = new Uint8Array(4 + body.length);
  new DataView(bytes.buffer).setUint32(0, transactionId);
  bytes[0] = type;
  bytes.set(body, 4);
  return bytes;
}

export function encodeOptions6(options: readonly Option6[]): Uint8Array {
  const size = options.reduce((sum, { value }) => sum + 4 + value.length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { code, value } of options) {
    view.setUint16(at, code);
    view.setUint16(at + 2, value.length);
    bytes.set(value, at + 4);
    at += 4 + value.length;
  }
  return bytes;
}
