/** Addresses as users write them: IP, MAC and PCI. */

/** True for a dotted IPv4 address without leading zeros. */
export function isIPv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** True for an IPv4 or IPv6 address. */
export function isIP(text: string): boolean {
  return isIPv4(text) || isIPv6(text);
}

/** True for an IPv6 address, also with an embedded IPv4 tail; zones are not allowed. */
export function isIPv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const tail = groups.at(-1) ?? '';
  const hasIPv4Tail = tail.includes('.');
  if (hasIPv4Tail && !isIPv4(tail)) return false;
  const hexGroups = hasIPv4Tail ? groups.slice(0, -1) : groups;
  if (!hexGroups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  const count = hexGroups.length + (hasIPv4Tail ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

/** The problem with a MAC address, or undefined: six bytes, written with `:`, `-` or as `0000.0000.0000`. */
export function macAddressProblem(text: string): string | undefined {
  const bytes = byteCount(text);
  // Longer hardware addresses exist (EUI-64, InfiniBand), but no guest NIC has one.
  if (bytes === 8 || bytes === 20) return `too long MAC address (${text})`;
  return bytes === 6 ? undefined : `malformed MAC address (${text})`;
}

/** `domain:bus:slot.function`, function 0 to 7. */
export function isPciAddress(text: string): boolean {
  return /^[\da-fA-F]{4}:[\da-fA-F]{2}:[\da-fA-F]{2}\.[0-7]$/.test(text);
}

function byteCount(text: string): number | undefined {
  const separator = text.includes('.') ? '.' : text.includes('-') ? '-' : ':';
  const width = separator === '.' ? 4 : 2;
  const groups = text.split(separator);
  const isHex = groups.every((group) => group.length === width && /^[0-9a-fA-F]+$/.test(group));
  return isHex ? (groups.length * width) / 2 : undefined;
}
