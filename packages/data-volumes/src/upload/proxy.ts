/**
 * The listener for uploads: TLS, one token per claim. Bytes go through the node to a listener on the loopback of
 * the Pod that fills the claim; no port of a Pod is open to anybody. The same listener issues the tokens, to the
 * API server only.
 */
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { UPLOAD_PORT } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { answerTokenApi } from './token-requests.ts';
import type { UploadTarget, UploadTokens } from './token.ts';

export interface UploadProxyOptions {
  /** PEM. */
  readonly tls: { readonly cert: string; readonly key: string };
  /** PEM of the CA of the API server's front-proxy certificate. */
  readonly frontProxyCa: string;
  readonly tokens: UploadTokens;
  /** The port that was used before, if it is free; 0: any. */
  readonly port: number;
  claimExists(namespace: string, name: string): boolean;
  /** A connection to the Pod that takes the upload; rejects, saying why, when there is none. */
  connect(target: UploadTarget, port: number, signal: AbortSignal): Promise<Duplex>;
  readonly log: Log;
}

export interface UploadProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** The common name that the API server shows to its extensions. */
const FRONT_PROXY_NAME = 'front-proxy-client';
const CONNECT_TRIES = 60;
const CONNECT_PAUSE_MS = 250;

export async function startUploadProxy(options: UploadProxyOptions): Promise<UploadProxy> {
  const server = createServer(
    { ...options.tls, ca: options.frontProxyCa, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      handle(request, response, options).catch((error: unknown) => {
        options.log.warn({ error: messageOf(error) }, 'upload failed');
        if (!response.headersSent)
          response.writeHead(502, { 'content-type': 'text/plain', connection: 'close' });
        response.end(messageOf(error));
      });
    },
  );
  // A large image takes its time.
  server.requestTimeout = 0;
  const port = await listen(server, options.port);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, wanted: number): Promise<number> {
  const on = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.removeListener('error', reject);
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  // Somebody else may have taken the port meanwhile: clients learn the new one from CDIConfig.
  return wanted === 0 ? on(0) : on(wanted).catch(() => on(0));
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: UploadProxyOptions,
): Promise<void> {
  const path = request.url ?? '/';
  if (path.startsWith('/apis/')) {
    if (!isApiServer(request.socket)) return refuse(response, 401, 'only the API server may ask');
    return answerTokenApi(request, response, options);
  }
  if (path === '/healthz') return refuse(response, 200, 'OK');
  if (!/^\/v1(alpha1|beta1)\/upload(-async|-form|-form-async)?$/.test(path))
    return refuse(response, 404, 'not found');
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const target = token === undefined ? undefined : options.tokens.check(token);
  if (target === undefined) return refuse(response, 401, 'the upload token is missing, wrong or too old');
  if (path.includes('-form'))
    return refuse(response, 501, 'uploads of HTML forms are not built; send the bytes');
  await relay(request, response, target, options);
}

/** A certificate of the front-proxy CA alone is not enough: it must be the API server's (CVE-2025-64432). */
function isApiServer(socket: unknown): boolean {
  return (
    socket instanceof TLSSocket &&
    socket.authorized &&
    socket.getPeerCertificate().subject?.CN === FRONT_PROXY_NAME
  );
}

function refuse(response: ServerResponse, code: number, text: string): void {
  // Closed, so that a client that sends gigabytes notices the refusal.
  response.writeHead(code, { 'content-type': 'text/plain', connection: 'close' });
  response.end(text);
}

async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  target: UploadTarget,
  options: UploadProxyOptions,
): Promise<void> {
  const ending = new AbortController();
  response.once('close', () => ending.abort());
  const { authorization: _, host: __, ...headers } = request.headers;
  const connection = await connectWhenListening(target, options, ending.signal);
  await new Promise<void>((resolve, reject) => {
    const forwarded = httpRequest(
      { method: request.method, path: request.url, headers, createConnection: () => connection },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.once('end', resolve);
        answer.once('error', reject);
      },
    );
    forwarded.once('error', reject);
    request.once('error', (error) => forwarded.destroy(error));
    request.once('aborted', () => forwarded.destroy(new Error('the client went away')));
    request.pipe(forwarded);
  });
}

/**
 * The Pod runs before its program listens, and bytes of a client can be sent only once: a question that may
 * be asked again goes first.
 */
async function connectWhenListening(
  target: UploadTarget,
  { connect }: UploadProxyOptions,
  signal: AbortSignal,
): Promise<Duplex> {
  for (let tries = 1; ; tries += 1) {
    try {
      await ask(await connect(target, UPLOAD_PORT, signal));
      return await connect(target, UPLOAD_PORT, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (tries === CONNECT_TRIES) throw error;
      await pause(CONNECT_PAUSE_MS, undefined, { signal });
    }
  }
}

function ask(connection: Duplex): Promise<void> {
  return new Promise((resolve, reject) => {
    const question = httpRequest(
      { method: 'HEAD', path: '/v1beta1/upload', createConnection: () => connection },
      (answer) => {
        answer.resume();
        answer.once('end', resolve);
      },
    );
    question.once('error', reject);
    question.end();
  });
}
