/** Who listens on a unix socket: the kernel notes it at listen(2), whoever accepts. */
import { createConnection } from 'node:net';
import { type OwnedFd, type PeerCredentials, peerCredentials } from '@podvisor/sys';

const CONNECT_TIMEOUT_MS = 5_000;

/** Dials the open socket once. Rejects when nobody listens. */
export function listenerOf(handle: OwnedFd): Promise<PeerCredentials> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(handle.procPath);
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => fail(new Error('timeout')));
    socket.once('error', fail);
    socket.once('connect', () => {
      try {
        resolve(peerCredentials(socket));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      } finally {
        socket.destroy();
      }
    });
  });
}
