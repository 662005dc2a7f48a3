/**
 * Answers that a socket does not take at once, on connections that stay open.
 *
 * Node 24 pauses the parser of an HTTP/1.1 connection when a request arrives while the answer before it still drains
 * (64 KiB on TLS, whatever the server's `highWaterMark` says), and then fails that request with HPE_PAUSED. So the
 * last bytes of a long answer are held back until all others are taken: before a client has them it sends nothing
 * more, and they are too few to make the socket drain. Closing the connection instead would cost a client that reads
 * a list in pages a TLS handshake for each of them, most of the time that a page takes.
 */
import type { ApiResponse } from './exchange.ts';

/** Up to this size an answer never makes a socket drain. */
const AT_ONCE_BYTES = 48 * 1024;

/** How much of a longer answer is held back. */
const HELD_BACK_BYTES = 1024;

/** Sends a body whose size is known. */
export function sendWhole(response: ApiResponse, code: number, body: string | Uint8Array): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.setHeader('content-length', bytes.length);
  response.writeHead(code);
  const cut = bytes.length - HELD_BACK_BYTES;
  if (bytes.length <= AT_ONCE_BYTES) response.end(bytes);
  else void endAfter(response, bytes.subarray(0, cut), bytes.subarray(cut));
}

/** Ends an answer with `last`, which is short, when the client's connection has taken everything before it. */
export async function endAfter(
  response: ApiResponse,
  rest: string | Uint8Array,
  last: string | Uint8Array,
): Promise<void> {
  if (rest.length === 0 || (await taken(response, rest))) response.end(last);
}

/** Writes a piece, and waits until the connection has taken it. False when the client went away. */
export function taken(response: ApiResponse, piece: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const left = (): void => resolve(false);
    response.once('close', left);
    response.write(piece, (error) => {
      response.off('close', left);
      resolve((error ?? undefined) === undefined);
    });
  });
}
