/** Passes a request on to an extension server, with the caller's identity in the front-proxy headers. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { UserInfo } from '../core.ts';
import { type Destination, dialProblem, type OutboundAgents } from '../outbound.ts';
import {
  type ApiRequest,
  type ApiResponse,
  endToEnd,
  fieldsOf,
  hasBody,
  remoteAddressOf,
} from '../wire/exchange.ts';
import type { ApiServiceSpec } from './api-service.ts';

/** Hop-by-hop headers (RFC 9110 7.6.1), and identity that only we may state. */
const DROPPED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|authorization|host|x-remote-.*|impersonate-.*|accept-encoding)$/;

export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  user: UserInfo,
  remote: string,
): OutgoingHttpHeaders {
  const result: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(fieldsOf(headers)))
    if (!DROPPED.test(name) && value !== undefined) result[name] = value;
  result['x-forwarded-for'] = remote;
  result['x-remote-user'] = user.username;
  result['x-remote-group'] = [...user.groups];
  if (user.uid !== undefined) result['x-remote-uid'] = user.uid;
  for (const [key, values] of Object.entries(user.extra ?? {}))
    result[`x-remote-extra-${encodeURIComponent(key)}`] = [...values];
  return result;
}

export interface ProxyTarget {
  readonly spec: ApiServiceSpec;
  /** Path and query as they were authorised; never the ones that came. */
  readonly path: string;
  readonly destination: Destination;
  readonly agents: OutboundAgents;
}

function optionsFor(
  request: ApiRequest,
  { destination, path }: ProxyTarget,
  headers: OutgoingHttpHeaders,
): RequestOptions {
  return {
    method: request.method,
    host: destination.host,
    port: destination.port,
    servername: destination.serverName,
    lookup: destination.lookup,
    path,
    // Nothing of our own between the two: Node would add a `Connection` header. A body needs its framing.
    ...(hasBody(request) ? {} : { setDefaultHeaders: false }),
    headers: { host: `${destination.host}:${destination.port}`, ...headers },
  };
}

/** Resolves when the answer has been passed back, or the client has left. */
export function proxyRequest(
  request: ApiRequest,
  response: ApiResponse,
  user: UserInfo,
  target: ProxyTarget,
): Promise<void> {
  const headers = forwardedHeaders(request.headers, user, remoteAddressOf(request));
  // Without a length, HTTP/1.1 sends the body in chunks; Node does that for some methods only.
  if (hasBody(request) && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked';
  const { host, port } = target.destination;
  headers['x-forwarded-host'] = `${host}:${port}`;
  headers['x-forwarded-proto'] = 'https';
  headers['x-forwarded-uri'] = target.path;
  return new Promise((resolve) => {
    const agent = target.agents.agent(target.spec.caBundle, target.spec.insecure);
    const upstream = httpsRequest({ ...optionsFor(request, target, headers), agent }, (answer) => {
      if (response.headersSent) return void answer.destroy();
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      answer.pipe(response);
      answer.on('close', resolve);
    });
    upstream.on('error', (error) => {
      if (!response.headersSent)
        response.writeHead(503, {
          'content-type': 'text/plain; charset=utf-8',
          'x-content-type-options': 'nosniff',
        });
      response.end(`error trying to reach service: ${dialProblem(error, target.destination)}\n`);
      resolve();
    });
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
}

/** Joins an upgraded connection (websocket, SPDY) with one to the extension server. */
export function proxyUpgrade(
  request: ApiRequest,
  socket: Duplex,
  head: Buffer,
  user: UserInfo,
  target: ProxyTarget,
): void {
  const headers: OutgoingHttpHeaders = {
    ...forwardedHeaders(request.headers, user, remoteAddressOf(request)),
    connection: 'Upgrade',
    upgrade: request.headers.upgrade,
  };
  const tls = target.agents.tlsOptions(target.spec.caBundle, target.spec.insecure);
  const upstream = httpsRequest({ ...optionsFor(request, target, headers), ...tls, agent: false });
  upstream.on('upgrade', (answer, other, otherHead) => {
    socket.write(rawHead(`HTTP/1.1 101 Switching Protocols`, answer.rawHeaders));
    if (otherHead.length > 0) socket.write(otherHead);
    if (head.length > 0) other.write(head);
    // pipe() keeps the back-pressure of both sides.
    socket.pipe(other);
    other.pipe(socket);
    const end = (): void => {
      socket.destroy();
      other.destroy();
    };
    for (const side of [socket, other]) side.on('error', end).on('close', end);
  });
  upstream.on('response', (answer) => {
    socket.write(
      rawHead(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`, [
        ...answer.rawHeaders,
        'Connection',
        'close',
      ]),
    );
    answer.pipe(socket);
  });
  upstream.on('error', (error) => {
    const text = `error trying to reach service: ${dialProblem(error, target.destination)}\n`;
    socket.end(
      `HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  });
  socket.on('close', () => upstream.destroy());
  upstream.end();
}

function rawHead(first: string, raw: readonly string[]): string {
  const lines = [first];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (!/^(transfer-encoding|keep-alive)$/i.test(raw[i] ?? '')) lines.push(`${raw[i]}: ${raw[i + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
