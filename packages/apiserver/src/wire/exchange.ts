/**
 * A request and its answer, over HTTP/1.1 or HTTP/2. Handlers use Node's common part of both and ask here for what
 * differs: an HTTP/2 request is one stream of a connection that carries many, so the connection is never theirs to
 * end, and what the types promise of a stream's `socket`, `destroyed` and `end` does not hold for it.
 */
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { type Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';

export type ApiRequest = IncomingMessage | Http2ServerRequest;

/** What Node's `ServerResponse` and `Http2ServerResponse` share, as far as handlers use it. */
export interface ApiResponse extends Writable {
  statusCode: number;
  readonly headersSent: boolean;
  setHeader(name: string, value: number | string | readonly string[]): void;
  writeHead(code: number, headers?: OutgoingHttpHeaders): this;
  /** Sends the headers of an answer whose first byte may be long in coming; HTTP/2 never holds them back. */
  flushHeaders?(): void;
}

/**
 * The connection that a request came over, the same object for all requests of it; undefined when it is gone. Of an
 * HTTP/2 connection it is Node's stand-in, from which addresses and certificates can be read.
 */
export function connectionOf(request: ApiRequest): Socket | undefined {
  return 'stream' in request ? request.stream.session?.socket : request.socket;
}

/** The address of the client, IPv4 in its own form; empty when the client is gone. */
export function remoteAddressOf(request: ApiRequest): string {
  return connectionOf(request)?.remoteAddress?.replace(/^::ffff:/, '') ?? '';
}

/** Headers without HTTP/2's pseudo headers, which are no fields of the message (RFC 9113 8.3). */
export function fieldsOf(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
}

/** What an answer says to the client; the rest is about the connection that it came over (RFC 9110 7.6.1). */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const {
    connection: _connection,
    'keep-alive': _keepAlive,
    'proxy-connection': _proxyConnection,
    'transfer-encoding': _encoding,
    upgrade: _upgrade,
    ...rest
  } = headers;
  return rest;
}

/** Whether bytes follow the headers of a request. */
export function hasBody(request: ApiRequest): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders;
  return (
    request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
  );
}

/** Whether the client left before its request was whole. A stream that was reset ends as if it were complete. */
export function wasCutOff(request: ApiRequest): boolean {
  return request.aborted;
}

/** Ends a request whose rest nobody reads: its stream, or, where that is one, the connection. */
export function dropRequest(request: ApiRequest): void {
  if ('stream' in request) request.stream.close();
  else request.destroy();
}

/** Whether nobody hears an answer any more. */
export function isGone(response: ApiResponse): boolean {
  return response instanceof Http2ServerResponse ? response.stream.destroyed : response.destroyed;
}
