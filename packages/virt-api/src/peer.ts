/** Who is at the other end of a TLS connection, by its certificate. */
import { TLSSocket } from 'node:tls';
import type { Peer } from './access/front-proxy.ts';

/** The other side shows its certificate once; taking it apart costs more than most reviews. */
const peers = new WeakMap<TLSSocket, Peer>();

export function peerOf(socket: unknown): Peer {
  if (!(socket instanceof TLSSocket)) return { authorized: false };
  let peer = peers.get(socket);
  if (peer === undefined) {
    const commonName = socket.getPeerCertificate().subject?.CN;
    peer = {
      authorized: socket.authorized,
      commonName: typeof commonName === 'string' ? commonName : undefined,
    };
    peers.set(socket, peer);
  }
  return peer;
}
