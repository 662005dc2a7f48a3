/** How the protocol names a domain; calls find it by `uuid`. */
import type { XdrReader } from '../xdr/reader.ts';
import type { XdrWriter } from '../xdr/writer.ts';
import { XdrError } from '../xdr/xdr-error.ts';

export interface DomainRef {
  readonly name: string;
  /** Lower-case, with dashes. */
  readonly uuid: string;
  /** Number of a running domain, -1 when it is off. */
  readonly id: number;
}

export function writeDomain(out: XdrWriter, domain: DomainRef): void {
  out.string(domain.name);
  writeUuid(out, domain.uuid);
  out.int(domain.id);
}

export function readDomain(input: XdrReader): DomainRef {
  return { name: input.string(), uuid: readUuid(input), id: input.int() };
}

export function writeUuid(out: XdrWriter, uuid: string): void {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  if (bytes.length !== 16) throw new XdrError(`"${uuid}" is not a UUID`);
  out.fixedOpaque(bytes);
}

export function readUuid(input: XdrReader): string {
  const hex = input.fixedOpaque(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
