/** Node's parser refuses methods that it does not know; Kubernetes answers them with 405. */
import type { Duplex } from 'node:stream';
import type { StatusError } from '@podvisor/base';
import { methodNotAllowed } from './status.ts';

interface ParserError extends Error {
  readonly code?: string;
  /** What was read so far. */
  readonly rawPacket?: Buffer;
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Makes the handler of `clientError`. `refusalOf` words the 405 for a path. */
export function answerUnknownMethod(
  refusalOf: (path: string) => StatusError | undefined,
): (error: ParserError, socket: Duplex) => void {
  return (error, socket) => {
    if (!socket.writable) return;
    const { code = '' } = error;
    // Without a handshake, or on a broken connection, there is nobody to hear an answer.
    if (!code.startsWith('HPE_') && !code.startsWith('ERR_HTTP_')) return void socket.destroy();
    if (code !== 'HPE_INVALID_METHOD') {
      socket.end(`HTTP/1.1 ${STATUS_LINES[code] ?? '400 Bad Request'}\r\nconnection: close\r\n\r\n`);
      return;
    }
    const line = error.rawPacket?.subarray(0, 8192).toString('latin1').split('\r\n', 1)[0] ?? '';
    const path = line.split(' ')[1] ?? '/';
    const body = `${JSON.stringify((refusalOf(path) ?? methodNotAllowed()).toBody())}\n`;
    socket.end(
      `HTTP/1.1 405 Method Not Allowed\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  };
}
