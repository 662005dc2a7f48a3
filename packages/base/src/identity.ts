/**
 * Identities as Kubernetes makes them, parsed once where they come in. A `Uid` or a `DnsLabel` is
 * the whole text and nothing else: it can be compared with `===` and be a part of a path, for it has no separator, no
 * `..` and no character that means something to a file system. Whatever cannot be parsed is nobody's identity.
 */

declare const brand: unique symbol;

/** UID of an object of the API: a UUID in lower case, as the API server makes it. */
export type Uid = string & { readonly [brand]: 'Uid' };
/** RFC 1123 label: up to 63 of a–z, 0–9 and `-`, no `-` at either end. Names of volumes and namespaces are such. */
export type DnsLabel = string & { readonly [brand]: 'DnsLabel' };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function isUid(value: unknown): value is Uid {
  return typeof value === 'string' && UUID.test(value);
}

export function isDnsLabel(value: unknown): value is DnsLabel {
  return typeof value === 'string' && LABEL.test(value);
}

/** Undefined: this is no UID. */
export function parseUid(value: unknown): Uid | undefined {
  return isUid(value) ? value : undefined;
}

/** Throws for what is no UID; `what` says whose it should be. */
export function requireUid(value: unknown, what = 'value'): Uid {
  if (isUid(value)) return value;
  throw new Error(`${what} ${JSON.stringify(value)} is not a UID`);
}

/** Throws for what is no DNS label; `what` says whose name it should be. */
export function requireDnsLabel(value: unknown, what = 'name'): DnsLabel {
  if (isDnsLabel(value)) return value;
  throw new Error(`${what} ${JSON.stringify(value)} is not a DNS label`);
}
