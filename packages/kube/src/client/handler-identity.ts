/** Where a virt-handler listens, by its own word, and who must be at the other end of a connection to it. */
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { annotations, certificateNames, type Lease, nodeOfUnits } from '@podvisor/api';

/**
 * For `checkServerIdentity` of a TLS connection. The address must match as always, and the names must be virt-handler's
 * and its node's: neither another component nor the virt-handler of another node will do.
 */
export function checkHandlerIdentity(
  node: string,
  host: string,
  certificate: PeerCertificate,
): Error | undefined {
  const mismatch = checkServerIdentity(host, certificate);
  if (mismatch !== undefined) return mismatch;
  const { CN: name, OU: unit } = certificate.subject;
  const expected = certificateNames.handlerServer;
  if (name !== expected) return new Error(`expected ${expected} at ${host}, found ${String(name)}`);
  return nodeOfCertificate(certificate) === node
    ? undefined
    : new Error(`expected virt-handler of node ${node} at ${host}, found that of ${String(unit)}`);
}

/** The node that a certificate of ours was given to; undefined for one of no node. */
export function nodeOfCertificate({ subject }: Pick<PeerCertificate, 'subject'>): string | undefined {
  return nodeOfUnits([subject.OU].flat().filter((text) => text !== undefined));
}

/**
 * `https://address:port` of the Lease of a node's virt-handler. Whoever has taken over the node writes that Lease: what
 * is not TLS, where the other end would not have to show a certificate, or is more than a place, is an error.
 */
export function handlerOrigin(node: string, { metadata }: Lease): string {
  const endpoint = metadata?.annotations?.[annotations.handlerEndpoint];
  if (endpoint === undefined) throw new Error(`virt-handler of node ${node} has not said where it listens`);
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol !== 'https:' || url.href !== `${url.origin}/`)
    throw new Error(`virt-handler of node ${node} says that it listens where none would`);
  return url.origin;
}
