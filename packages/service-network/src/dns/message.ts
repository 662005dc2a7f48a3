/**
 * DNS messages (RFC 1035, 2782, 3596, 6891) as data and as bytes. Pure. Reading is strict and bounded: names
 * end within 255 bytes, pointers only lead backwards, what is cut off or left over is an error.
 */

/** Lower-case labels joined by dots, without the last dot; empty: the root. */
export type Name = string;

export const types = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  OPT: 41,
  ANY: 255,
} as const;
export const codes = {
  ok: 0,
  formatError: 1,
  serverFailure: 2,
  noSuchName: 3,
  notImplemented: 4,
  refused: 5,
} as const;

export interface Question {
  readonly name: Name;
  readonly type: number;
  readonly class: number;
}

export type RecordData =
  | { readonly kind: 'address4'; readonly address: string }
  | { readonly kind: 'address6'; readonly address: string }
  | { readonly kind: 'name'; readonly target: Name }
  | {
      readonly kind: 'srv';
      readonly priority: number;
      readonly weight: number;
      readonly port: number;
      readonly target: Name;
    }
  | {
      readonly kind: 'soa';
      readonly primary: Name;
      readonly mailbox: Name;
      readonly serial: number;
      readonly refresh: number;
      readonly retry: number;
      readonly expire: number;
      readonly minimum: number;
    }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array };

export interface ResourceRecord {
  readonly name: Name;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  readonly data: RecordData;
}

export interface Message {
  readonly id: number;
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly recursionDesired: boolean;
  readonly recursionAvailable: boolean;
  readonly code: number;
  readonly questions: readonly Question[];
  readonly answers: readonly ResourceRecord[];
  readonly authorities: readonly ResourceRecord[];
  readonly additionals: readonly ResourceRecord[];
}

/** The bytes are not a DNS message. */
export class DnsFormatError extends Error {
  override readonly name = 'DnsFormatError';
}

/** A record of these types is a single name. */
export const NAME_TYPES: ReadonlySet<number> = new Set([types.CNAME, types.PTR, types.NS]);
export const MAX_NAME_BYTES = 255;
export const MAX_LABEL_BYTES = 63;
