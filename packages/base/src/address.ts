/**
 * IP addresses as values, and what they stand for. A text that names an address in one of the many ways that
 * resolvers understand (`2130706433`, `0177.0.0.1`, `::ffff:7f00:1`) is that address, and whoever decides about
 * addresses decides about the value, never about the text. Pure.
 */
import { type IpFamily, ipFamily, ipText, ipValue, isInPrefix } from './ip.ts';

/** An address in its one form. IPv4 inside IPv6 (`::ffff:192.0.2.1`) is IPv4. */
export interface Address {
  readonly family: IpFamily;
  /** Canonical: dotted decimal, or RFC 5952. */
  readonly text: string;
}

export type AddressKind = 'unspecified' | 'loopback' | 'link-local' | 'multicast' | 'broadcast' | 'global';

/** Reads an address in a form that everybody reads alike. Undefined for names, legacy forms and zones (`%eth0`). */
export function parseAddress(text: string): Address | undefined {
  const family = ipFamily(text);
  return family === undefined || text.includes('/') ? undefined : canonical(family, ipValue(text));
}

/**
 * Reads the host of a URL or of a setting as resolvers do: also in brackets, as one number, with fewer than four
 * parts, in octal and in hexadecimal (inet_aton). Undefined for what is a name.
 */
export function parseHostAddress(host: string): Address | undefined {
  const bare = /^\[.*\]$/.test(host) ? host.slice(1, -1) : host;
  const value = legacyIpv4(bare.replace(/\.$/, ''));
  if (value !== undefined) return canonical(4, value);
  return parseAddress(bare.split('%')[0] ?? '');
}

const MAPPED = 0xffffn << 32n;
const NAT64 = 0x64ff9bn << 96n;

function canonical(family: IpFamily, value: bigint): Address {
  if (family === 6 && (value >> 32n) << 32n === MAPPED) return canonical(4, value & 0xffffffffn);
  return { family, text: ipText(family, value) };
}

/** The parts of inet_aton: each but the last is a byte, the last fills the rest. */
function legacyIpv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length > 4 || !parts.every((part) => /^(0x[0-9a-f]{1,16}|[0-9]{1,20})$/i.test(part)))
    return undefined;
  const numbers: bigint[] = [];
  for (const part of parts) {
    const isOctal = /^0[0-9]/.test(part);
    if (isOctal && /[89]/.test(part)) return undefined;
    numbers.push(BigInt(isOctal ? `0o${part}` : part));
  }
  const last = numbers.pop() ?? 0n;
  if (numbers.some((number) => number > 0xffn) || last >= 1n << BigInt(8 * (4 - numbers.length)))
    return undefined;
  const front = numbers.reduce((sum, number, i) => sum + (number << BigInt(8 * (3 - i))), 0n);
  return front + last;
}

const RANGES: readonly (readonly [AddressKind, readonly string[]])[] = [
  ['unspecified', ['0.0.0.0/8', '::/128']],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  // Where clouds answer with the machine's metadata and credentials, too.
  ['link-local', ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128']],
  ['broadcast', ['255.255.255.255/32']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
];

/** What an address stands for. `global`: none of the special ones, also when it is private. */
export function kindOfAddress(address: Address): AddressKind {
  const { text } = embedded(address);
  return RANGES.find(([, prefixes]) => prefixes.some((prefix) => isInPrefix(text, prefix)))?.[0] ?? 'global';
}

/** The IPv4 address that a translator (NAT64) would dial. */
function embedded(address: Address): Address {
  const value = ipValue(address.text);
  return address.family === 6 && (value >> 32n) << 32n === NAT64
    ? canonical(4, value & 0xffffffffn)
    : address;
}

/** What may be dialled for somebody else. */
export interface DialPolicy {
  /** Prefixes that an administrator allows although they are refused otherwise. */
  readonly allow?: readonly string[];
  /** Prefixes that are refused although they are nothing special: the node's own addresses, say. */
  readonly refuse?: readonly string[];
}

/** Why an address is not dialled for somebody else; undefined when it is. */
export function dialRefusal(
  address: Address,
  { allow = [], refuse = [] }: DialPolicy = {},
): string | undefined {
  if (allow.some((prefix) => isInPrefix(address.text, prefix))) return undefined;
  const kind = kindOfAddress(address);
  if (kind !== 'global') return `${address.text} is ${kind === 'unspecified' ? 'an' : 'a'} ${kind} address`;
  if (refuse.some((prefix) => isInPrefix(address.text, prefix)))
    return `${address.text} is an address of the node itself`;
  return undefined;
}
