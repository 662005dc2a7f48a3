/**
 * The users that the parts of a home run as: numbers without a name, a range of their own for every home, so
 * that no part of one can reach into another part or another home. docs/security-privileges.md has the range.
 */
import { readFileSync } from 'node:fs';

/** Parts that need nothing of root. The order is their number within a home's range. */
export const UNPRIVILEGED = [
  'control-plane',
  'virt-api',
  'virt-controller',
  'prometheus',
  'alertmanager',
] as const;

export type UnprivilegedComponent = (typeof UNPRIVILEGED)[number];

/** Ids of a home; some are left for parts to come. */
const PER_HOME = 8;
/** Below what shadow gives to containers of users (100000), above what systemd and Debian give out. */
const USUAL = { first: 70_000, homes: 3_600 };
/** Where a container maps only 65536 ids: systemd's range of dynamic users. */
const MAPPED = { first: 61_184, homes: 540 };

/** User id, and group id, of a part of the home with this instance name. */
export function componentUser(instance: string, component: UnprivilegedComponent): number {
  const { first, homes } = lastMappedId() >= USUAL.first + USUAL.homes * PER_HOME ? USUAL : MAPPED;
  return first + (hash(instance) % homes) * PER_HOME + UNPRIVILEGED.indexOf(component);
}

/** FNV-1a: the same number for the same name, on every start. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/** The largest user id that this user namespace has, counted from 0 without a gap. */
function lastMappedId(): number {
  try {
    const ranges = readFileSync('/proc/self/uid_map', 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
    return ranges.reduce((end, [from = 0, , count = 0]) => (from <= end + 1 ? from + count - 1 : end), -1);
  } catch {
    return -1;
  }
}
