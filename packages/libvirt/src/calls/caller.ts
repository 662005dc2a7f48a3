/** What the groups of calls need: one way to call a procedure of libvirt's main program. */
import { type DomainRef, writeDomain } from '../protocol/domain-ref.ts';
import { PROGRAM } from '../protocol/procedures.ts';
import type { RpcChannel } from '../rpc/channel.ts';
import type { XdrReader } from '../xdr/reader.ts';
import type { XdrWriter } from '../xdr/writer.ts';

export const nothing = (): void => {};

export function call<T>(
  channel: RpcChannel,
  procedure: number,
  write: (out: XdrWriter) => void,
  read: (input: XdrReader) => T,
  signal?: AbortSignal,
): Promise<T> {
  return channel.call(PROGRAM.remote, procedure, write, read, signal);
}

/** A call on a domain with flags and no answer: the most common shape. */
export function domainVerb(
  channel: RpcChannel,
  procedure: number,
  domain: DomainRef,
  flags: number | undefined,
  signal?: AbortSignal,
): Promise<void> {
  return call(
    channel,
    procedure,
    (out) => {
      writeDomain(out, domain);
      if (flags !== undefined) out.uint(flags);
    },
    nothing,
    signal,
  );
}
