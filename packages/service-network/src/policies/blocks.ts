/**
 * Addresses and ports of policies as values. Whatever an object holds, what is written into a table has one spelling,
 * names nothing twice, and is as long as what it says and no longer. Pure.
 */
import { addressIn, type IpFamily, ipFamily, ipText, ipValue } from '@podvisor/base';

export interface AddressBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

const BITS: Readonly<Record<IpFamily, number>> = { 4: 32, 6: 128 };

/** The block in one spelling, or undefined when it, or an exception, is none: then it allows nothing. */
export function blockOf({ cidr, except = [] }: AddressBlock): AddressBlock | undefined {
  const whole = prefixText(cidr);
  const cut = except.map(prefixText);
  if (whole === undefined || cut.includes(undefined)) return undefined;
  const holes = mergedPrefixes(
    cut.filter((hole) => hole !== undefined && ipFamily(hole) === ipFamily(whole)).map(String),
  );
  return holes.length === 0 ? { cidr: whole } : { cidr: whole, except: holes };
}

/** The text of an address in one spelling, or undefined when it is none. */
export function addressText(text: string): string | undefined {
  const family = text.includes('/') ? undefined : ipFamily(text);
  return family === undefined ? undefined : ipText(family, ipValue(text));
}

function prefixText(cidr: string): string | undefined {
  try {
    const { address, prefixLength } = addressIn(cidr, 0);
    return `${address}/${prefixLength}`;
  } catch {
    return undefined;
  }
}

/** The same addresses without those that another prefix of the list holds; addresses and prefixes of one family. */
export function mergedPrefixes(texts: readonly string[]): readonly string[] {
  const ranges = texts.map((text) => {
    const [address = '', length] = text.split('/');
    const bits = BITS[ipFamily(address) ?? 4];
    const from = ipValue(address);
    return { text, from, to: from + (1n << BigInt(bits - Number(length ?? bits))) - 1n };
  });
  return merged(ranges).map(({ text }) => text);
}

/** Prefixes are one in the other or apart, so what is not past the last one kept is within it. */
function merged<T extends { readonly from: bigint; readonly to: bigint }>(
  ranges: readonly T[],
): readonly T[] {
  const kept: T[] = [];
  for (const range of ranges.toSorted((a, b) =>
    a.from === b.from ? Number(b.to > a.to) - Number(b.to < a.to) : a.from < b.from ? -1 : 1,
  ))
    if (range.to > (kept.at(-1)?.to ?? -1n)) kept.push(range);
  return kept;
}

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** Words of nftables for the ports, those that touch together as one range. */
export function mergedPorts(ranges: readonly PortRange[]): readonly string[] {
  const kept: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = kept.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else kept.push({ from, to });
  }
  return kept.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
}
