/** What libvirt said went wrong. */
import type { XdrReader } from './xdr/reader.ts';
import { readDomain, readUuid } from './protocol/domain-ref.ts';

export class LibvirtError extends Error {
  override readonly name = 'LibvirtError';
  /** See ERROR_CODE. */
  readonly code: number;
  /** Which part of libvirt it came from (virErrorDomain). */
  readonly domain: number;

  constructor(code: number, domain: number, message: string) {
    super(message);
    this.code = code;
    this.domain = domain;
  }
}

/** The connection to libvirtd ended; the fate of a call under way is unknown. */
export class LibvirtDisconnected extends Error {
  override readonly name = 'LibvirtDisconnected';
}

export function isLibvirtError(error: unknown, code?: number): error is LibvirtError {
  return error instanceof LibvirtError && (code === undefined || error.code === code);
}

/** Reads the error structure of a failed reply. */
export function readError(input: XdrReader): LibvirtError {
  const code = input.int();
  const domain = input.int();
  const message = input.optionalString() ?? `libvirt error ${code}`;
  input.int(); // level: always "error" in a reply
  input.optional(() => readDomain(input));
  for (let i = 0; i < 3; i++) input.optionalString();
  input.int();
  input.int();
  input.optional(() => [input.string(), readUuid(input)]);
  return new LibvirtError(code, domain, message);
}
