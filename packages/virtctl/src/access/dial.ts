/**
 * Opens a websocket that loses nothing: some servers speak first (VNC, ssh), and their first words may come
 * in the same packet as the handshake. The socket is handed over paused; whoever has attached its listeners
 * resumes it (a stream made of it does so by itself).
 */
import { readFileSync } from 'node:fs';
import { StatusError } from '@podvisor/base';
import type { ClusterAccess, DialOptions } from '@podvisor/kube';
import { WebSocket } from 'ws';

const HANDSHAKE_TIMEOUT_MS = 30_000;
const MAX_ERROR_BYTES = 64 * 1024;

/** Resolves with an open, paused socket; a refusal is a StatusError with the server's words. */
export function dialPaused(
  access: ClusterAccess,
  path: string,
  { protocols = [], query = {}, headers = {} }: DialOptions,
  signal?: AbortSignal,
): Promise<WebSocket> {
  const url = new URL(`${access.server.replace(/^http/, 'ws')}${path}`);
  for (const [key, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.append(key, String(value));
  const socket = new WebSocket(url, [...protocols], {
    ca: access.ca,
    cert: access.certificate,
    key: access.key,
    ...(access.tlsServerName === undefined ? {} : { servername: access.tlsServerName }),
    rejectUnauthorized: access.insecureSkipTlsVerify !== true,
    headers: { 'user-agent': 'virtctl', ...authorization(access), ...headers },
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    perMessageDeflate: false,
  });
  return new Promise((resolve, reject) => {
    const onAbort = (): void => socket.terminate();
    const onError = (error: Error): void =>
      settle(() => reject(signal?.aborted === true ? signal.reason : error));
    const settle = (finish: () => void): void => {
      signal?.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      finish();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
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
        if (bytes <= MAX_ERROR_BYTES) chunks.push(chunk);
      });
      response.on('end', () => {
        settle(() => reject(refusal(Buffer.concat(chunks).toString('utf8'), response.statusCode ?? 500)));
        // The handshake is over; ws would report the abandoned request as one more error.
        socket.on('error', () => undefined);
        socket.terminate();
      });
    });
  });
}

function refusal(text: string, code: number): StatusError {
  try {
    return StatusError.fromBody(JSON.parse(text), code);
  } catch {
    return StatusError.fromBody(text.trim(), code);
  }
}

function authorization({ token, tokenFile, username, password }: ClusterAccess): Record<string, string> {
  const bearer = tokenFile === undefined ? token : readFileSync(tokenFile, 'utf8').trim();
  if (bearer !== undefined) return { authorization: `Bearer ${bearer}` };
  if (username === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` };
}
