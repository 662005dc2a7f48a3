/**
 * Connections that are made for somebody else: a name is resolved, every address is checked, and exactly the checked
 * ones are dialled. Nobody resolves a second time, so a name cannot mean one thing when it is checked and another
 * when it is dialled (DNS rebinding).
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type DialPolicy, dialRefusal, hostPrefix, parseAddress, parseHostAddress } from '@podvisor/base';

/** Somebody asked to be connected to where we do not connect anybody. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ERR_ADDRESS_REFUSED';

  constructor(host: string, why: string) {
    super(`${host} is not dialled: ${why}`);
  }
}

/** Resolves a name; stands in for the system's resolver in tests. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  done: (error: Error | null, found: readonly LookupAddress[]) => void,
) => void;

export interface CheckedHost {
  /** A name, or an address in its canonical form. */
  readonly host: string;
  /** For `net.connect` and everything on top of it. Node does not ask it for an address, which was checked here. */
  readonly lookup: LookupFunction;
}

/** What to give to `connect` in place of a host that somebody else named. Throws AddressRefused for an address. */
export function checkedHost(
  host: string,
  policy: DialPolicy = {},
  resolve: Resolve = systemLookup as Resolve,
): CheckedHost {
  const address = parseHostAddress(host);
  const why = address === undefined ? undefined : dialRefusal(address, policy);
  if (why !== undefined) throw new AddressRefused(host, why);
  return { host: address?.text ?? host, lookup: checkedLookup(policy, resolve) };
}

/** A `lookup` that finds only what may be dialled. */
export function checkedLookup(
  policy: DialPolicy = {},
  resolve: Resolve = systemLookup as Resolve,
): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '');
      const refusals: string[] = [];
      const allowed = found.flatMap((entry) => {
        const address = parseAddress(entry.address.split('%')[0] ?? '');
        const why = address === undefined ? `${entry.address} is no address` : dialRefusal(address, policy);
        if (why !== undefined) refusals.push(why);
        return why === undefined && address !== undefined
          ? [{ address: address.text, family: address.family }]
          : [];
      });
      const [first] = allowed;
      if (first === undefined) return done(new AddressRefused(host, refusals[0] ?? 'it has no address'), '');
      if (options.all === true) return done(null, allowed);
      return done(null, first.address, first.family);
    });
  };
}

/** The machine's own addresses, as prefixes: nobody else is dialled there on behalf of a user. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ address }) => {
      const parsed = parseAddress(address.split('%')[0] ?? '');
      return parsed === undefined ? [] : [hostPrefix(parsed.text)];
    }),
  );
}
