/** Addresses and ranges of addresses: `ip("10.0.0.1")`, `cidr("10.0.0.0/8")`. */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { declaring, namespace } from './declare.ts';

class Address {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

class Range {
  readonly base: string;
  readonly length: number;
  constructor(base: string, length: number) {
    this.base = base;
    this.length = length;
  }
  get text(): string {
    return `${this.base}/${this.length}`;
  }
}

/** Addresses with a zone, with zeros before a number, or of IPv4 inside IPv6 are none. */
function address(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  return /^::ffff:\d+\./i.test(text) ? undefined : new Address(text);
}

function range(text: string): Range | undefined {
  const [base = '', length = '', ...more] = text.split('/');
  const bits = Number(length);
  if (address(base) === undefined || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  return bits <= (isIPv4(base) ? 32 : 128) ? new Range(base, bits) : undefined;
}

function needAddress(text: string): Address {
  const found = address(text);
  if (found === undefined)
    throw new Error(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
    );
  return found;
}

function needRange(text: string): Range {
  const found = range(text);
  if (found === undefined)
    throw new Error(`network address parse error during conversion from string: ${JSON.stringify(text)}`);
  return found;
}

/** The shortest form, in lower case. */
function canonical(text: string): string {
  if (isIPv4(text)) return text;
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

function bits(text: string): bigint {
  if (isIPv4(text)) return text.split('.').reduce((all, part) => (all << 8n) | BigInt(part), 0n);
  const [head = '', tail] = canonical(text).split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].reduce(
    (all, group) => (all << 16n) | BigInt(`0x${group}`),
    0n,
  );
}

function fromBits(value: bigint, isV4: boolean): string {
  const parts = Array.from({ length: isV4 ? 4 : 8 }, (_, i) => {
    const width = isV4 ? 8n : 16n;
    const part = (value >> (width * BigInt((isV4 ? 3 : 7) - i))) & ((1n << width) - 1n);
    return part.toString(isV4 ? 10 : 16);
  });
  return canonical(parts.join(isV4 ? '.' : ':'));
}

function masked({ base, length }: Range): Range {
  const width = isIPv4(base) ? 32 : 128;
  const host = BigInt(width - length);
  return new Range(fromBits((bits(base) >> host) << host, width === 32), length);
}

function containsAddress(outer: Range, { text }: Address): boolean {
  if (isIPv4(outer.base) !== isIPv4(text)) return false;
  const host = BigInt((isIPv4(text) ? 32 : 128) - outer.length);
  return bits(outer.base) >> host === bits(text) >> host;
}

const containsRange = (outer: Range, inner: Range): boolean =>
  inner.length >= outer.length && containsAddress(outer, new Address(inner.base));

/** Kinds of addresses, by the ranges that they are in. */
function within(...ranges: readonly string[]): ({ text }: Address) => boolean {
  const list = new BlockList();
  for (const one of ranges) {
    const [base = '', length = ''] = one.split('/');
    list.addSubnet(base, Number(length), isIPv6(base) ? 'ipv6' : 'ipv4');
  }
  return ({ text }) => list.check(text, isIPv6(text) ? 'ipv6' : 'ipv4');
}

const isUnspecified = within('0.0.0.0/32', '::/128');
const isLoopback = within('127.0.0.0/8', '::1/128');
const isLinkLocalMulticast = within('224.0.0.0/24', 'ff02::/16');
const isLinkLocalUnicast = within('169.254.0.0/16', 'fe80::/10');
const isMulticast = within('224.0.0.0/4', 'ff00::/8');
const isBroadcast = within('255.255.255.255/32');

export function declareAddresses(env: Environment): void {
  env.registerType('net.IP', Address).registerType('net.CIDR', Range);
  env.registerOperator('net.IP == net.IP', (a: Address, b: Address) => bits(a.text) === bits(b.text));
  env.registerOperator(
    'net.CIDR == net.CIDR',
    (a: Range, b: Range) => a.length === b.length && bits(a.base) === bits(b.base),
  );
  const f = declaring(env);
  f('isIP(string): bool', (text: string) => address(text) !== undefined);
  f('ip(string): net.IP', needAddress);
  f('string(net.IP): string', ({ text }: Address) => canonical(text));
  f('net.IP.family(): int', ({ text }: Address) => (isIPv4(text) ? 4n : 6n));
  f('net.IP.isUnspecified(): bool', isUnspecified);
  f('net.IP.isLoopback(): bool', isLoopback);
  f('net.IP.isLinkLocalMulticast(): bool', isLinkLocalMulticast);
  f('net.IP.isLinkLocalUnicast(): bool', isLinkLocalUnicast);
  f(
    'net.IP.isGlobalUnicast(): bool',
    (one: Address) =>
      ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast, isBroadcast].some((is) => is(one)),
  );
  namespace(env, 'ip', {
    'isCanonical(string): bool': (text: string) => canonical(needAddress(text).text) === text,
  });
  f('isCIDR(string): bool', (text: string) => range(text) !== undefined);
  f('cidr(string): net.CIDR', needRange);
  f('string(net.CIDR): string', ({ text }: Range) => text);
  f('net.CIDR.containsIP(string): bool', (outer: Range, text: string) =>
    containsAddress(outer, needAddress(text)),
  );
  f('net.CIDR.containsIP(net.IP): bool', containsAddress);
  f('net.CIDR.containsCIDR(string): bool', (outer: Range, text: string) =>
    containsRange(outer, needRange(text)),
  );
  f('net.CIDR.containsCIDR(net.CIDR): bool', containsRange);
  f('net.CIDR.ip(): net.IP', ({ base }: Range) => new Address(base));
  f('net.CIDR.masked(): net.CIDR', masked);
  f('net.CIDR.prefixLength(): int', ({ length }: Range) => BigInt(length));
}
