/** Who must be at the other end of a connection to a virt-handler. */
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { certificateNames, nodeOfUnits } from '@podvisor/api';

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
