/** Node's parser refuses methods that it does not know; Kubernetes answers them with 405. */
import type { Duplex } from 'node:stream';
import { methodNotAllowed } from './status.ts';

export function answerUnknownMethod(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable) return;
  if (error.code !== 'HPE_INVALID_METHOD') {
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    return;
  }
  const body = `${JSON.stringify(methodNotAllowed().toBody())}\n`;
  socket.end(
    `HTTP/1.1 405 Method Not Allowed\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
