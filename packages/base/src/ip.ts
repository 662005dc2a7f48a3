/** IPv4 and IPv6 addresses and prefixes as text and number. Pure; addresses have no zone. */

export type IpFamily = 4 | 6;

const BITS: Readonly<Record<IpFamily, number>> = { 4: 32, 6: 128 };

/** The family of an address or prefix; undefined when the text is neither. */
export function ipFamily(text: string): IpFamily | undefined {
  const address = text.split('/')[0] ?? '';
  if (ipv4Value(address) !== undefined) return 4;
  return ipv6Value(address) === undefined ? undefined : 6;
}

/** `base` + `offset` of a prefix such as `10.0.2.0/24`. Throws on bad text. */
export function addressIn(
  cidr: string,
  offset: number | bigint,
): { readonly address: string; readonly prefixLength: number } {
  const { family, value, prefixLength } = parsePrefix(cidr);
  const size = 1n << BigInt(BITS[family] - prefixLength);
  return { address: ipText(family, (value / size) * size + BigInt(offset)), prefixLength };
}

/** True when the address is in the prefix; false for another family, and for what is no address. */
export function isInPrefix(address: string, cidr: string): boolean {
  const family = ipFamily(address);
  if (family === undefined || family !== ipFamily(cidr)) return false;
  const { value, prefixLength } = parsePrefix(cidr);
  const shift = BigInt(BITS[family] - prefixLength);
  return ipValue(address) >> shift === value >> shift;
}

/** An address as a prefix of its own: `/32` or `/128`. */
export function hostPrefix(address: string): string {
  return `${address}/${BITS[ipFamily(address) ?? 4]}`;
}

/** An address as it stands in a URL or before a port. */
export function urlHost(address: string): string {
  return ipFamily(address) === 6 ? `[${address}]` : address;
}

/** The address as a number. Throws on bad text. */
export function ipValue(text: string): bigint {
  const value = ipv4Value(text) ?? ipv6Value(text);
  if (value === undefined) throw new Error(`"${text}" is not an IP address`);
  return value;
}

/** The text of an address; of IPv6 the shortest form (RFC 5952). */
export function ipText(family: IpFamily, value: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - i * 16)) & 0xffffn).toString(16),
  );
  const text = groups.join(':');
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)].toSorted((a, b) => b[0].length - a[0].length);
  const longest = runs[0];
  if (longest === undefined) return text;
  const before = text.slice(0, longest.index).replace(/:$/, '');
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, '');
  return `${before}::${after}`;
}

function parsePrefix(cidr: string): {
  readonly family: IpFamily;
  readonly value: bigint;
  readonly prefixLength: number;
} {
  const [address = '', length = ''] = cidr.split('/');
  const family = ipFamily(address);
  const prefixLength = Number(length);
  if (family === undefined || !/^\d{1,3}$/.test(length) || prefixLength > BITS[family])
    throw new Error(`"${cidr}" is not a network prefix`);
  return { family, value: ipValue(address), prefixLength };
}

function ipv4Value(text: string): bigint | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || octets.some((octet) => !/^(0|[1-9]\d{0,2})$/.test(octet) || Number(octet) > 255))
    return undefined;
  return octets.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
}

function ipv6Value(text: string): bigint | undefined {
  const last = text.lastIndexOf(':') + 1;
  // `::ffff:192.0.2.1`: the last two groups in IPv4's notation.
  const mapped = text.includes('.') ? ipv4Value(text.slice(last)) : undefined;
  if (text.includes('.') && mapped === undefined) return undefined;
  const plain =
    mapped === undefined
      ? text
      : `${text.slice(0, last)}${(mapped >> 16n).toString(16)}:${(mapped & 0xffffn).toString(16)}`;
  const halves = plain.split('::');
  if (halves.length > 2) return undefined;
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - left.length - right.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  if (groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}
