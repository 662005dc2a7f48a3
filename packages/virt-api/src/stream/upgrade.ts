/** The websocket side of streams: refusals as plain HTTP answers, and accepted connections as byte streams. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { StatusError } from '@podvisor/base';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';

export const PLAIN_PROTOCOL = 'plain.kubevirt.io';
/** Keeps idle consoles alive through proxies that drop silent connections. */
const PING_MS = 10_000;
const MAX_FRAME_BYTES = 1 << 20;
/** RFC 6455, 7.4.1: the connection ended without a close frame. */
const CUT_OFF = 1006;

const server = new WebSocketServer({
  noServer: true,
  maxPayload: MAX_FRAME_BYTES,
  perMessageDeflate: false,
  handleProtocols: (offered) => (offered.has(PLAIN_PROTOCOL) ? PLAIN_PROTOCOL : false),
});

/** Completes the handshake; the socket is paused until it is read. What can be refused has been refused before. */
export function acceptUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<WebSocket> {
  return new Promise((resolve) => {
    server.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.pause();
      resolve(webSocket);
    });
  });
}

/** Answers an upgrade request with a Status and ends the connection. */
export function refuseUpgrade(socket: Duplex, error: StatusError): void {
  const body = JSON.stringify(error.toBody());
  socket.end(
    [
      `HTTP/1.1 ${error.code} ${STATUS_CODES[error.code] ?? 'Error'}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/**
 * The frames of a websocket as bytes, kept alive by pings. One that is cut off is no end of the bytes: the other side
 * of a relay is cut off too. That is how viewers learn that somebody took their place: KubeVirt's clients wait for
 * the unexpected end, and tell their user why it may have come.
 */
export function bytesOf(webSocket: WebSocket): Duplex {
  const timer = setInterval(() => webSocket.ping(), PING_MS);
  timer.unref();
  webSocket.once('close', (code) => {
    clearInterval(timer);
    if (code === CUT_OFF) stream.destroy();
  });
  const stream = createWebSocketStream(webSocket);
  // A peer that goes away without a close frame is an end, not an accident.
  stream.on('error', () => stream.destroy());
  return stream;
}
