/** Websockets to the API server: console, VNC, exec, port-forward. */
import { WebSocket } from 'ws';
import type { ClusterAccess } from './kubeconfig.ts';
import { statusErrorOf } from './status-body.ts';
import { type HttpRequest, queryText, tlsOptions } from './transport.ts';

export interface DialOptions {
  /** Offered subprotocols, e.g. `plain.kubevirt.io`. */
  readonly protocols?: readonly string[];
  readonly query?: HttpRequest['query'];
  readonly headers?: Readonly<Record<string, string>>;
}

const HANDSHAKE_TIMEOUT_MS = 30_000;
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/**
 * Resolves with an open socket. An HTTP answer instead of an upgrade becomes a StatusError. Some servers speak first
 * (VNC, ssh), and their first words may come in the same packet as the handshake: the socket is handed over paused, and
 * whoever has attached its listeners resumes it (a stream made of it does so by itself).
 */
export function dialWebSocket(
  access: ClusterAccess,
  path: string,
  options: DialOptions,
  signal?: AbortSignal,
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const url = `${access.server.replace(/^http/, 'ws')}${path}${queryText(options.query)}`;
    const socket = new WebSocket(url, [...(options.protocols ?? [])], {
      ...tlsOptions(access),
      headers: { ...options.headers },
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      perMessageDeflate: false,
    });
    const onAbort = (): void => socket.terminate();
    const settle = (finish: () => void): void => {
      signal?.removeEventListener('abort', onAbort);
      socket.removeListener('error', onError);
      finish();
    };
    const onError = (error: Error): void =>
      settle(() => reject(signal?.aborted === true ? (signal.reason as Error) : error));
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.on('error', onError);
    socket.once('open', () => {
      socket.pause();
      settle(() => resolve(socket));
    });
    socket.once('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MAX_ERROR_BODY_BYTES) chunks.push(chunk);
      });
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        settle(() => reject(statusErrorOf(text, response.statusCode ?? 500)));
        // The handshake is over; ws would report the abandoned request as one more error.
        socket.on('error', () => undefined);
        socket.terminate();
      });
    });
  });
}
