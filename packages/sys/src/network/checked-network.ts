/**
 * A network for a tool that follows names and redirects of strangers: a network namespace with nothing in it but a
 * proxy of ours, which resolves each name once, checks every address and dials exactly the checked ones. What the
 * tool dials past the proxy (Go programs do so for loopback addresses) ends in the empty namespace.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type DialPolicy, messageOf } from '@podvisor/base';
import { AddressRefused, checkedHost, type Resolve } from './checked-dial.ts';
import { runInNetns } from './netns.ts';
import { withNetns } from './netns-socket.ts';
import { withNewNamespaces } from '../confinement/new-namespaces.ts';
import { OwnedFd } from '../files/owned-fd.ts';
import type { RunOptions, RunResult } from '../processes/run.ts';

/** At once, for one tool. */
const MAX_CONNECTIONS = 64;
const DIAL_TIMEOUT_MS = 30_000;

export interface CheckedNetwork extends AsyncDisposable {
  /** Runs a tool that takes its proxy from the environment. */
  run(tool: string, args: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** What was not dialled, in words; the tool itself is told no more than "Forbidden". */
  readonly refusals: readonly string[];
}

/** Needs CAP_SYS_ADMIN. `resolve` stands in for the system's resolver in tests. */
export async function openCheckedNetwork(
  policy: DialPolicy = {},
  resolve?: Resolve,
): Promise<CheckedNetwork> {
  const namespace = await withNewNamespaces(['--net'], (pid) =>
    Promise.resolve(new OwnedFd(openSync(`/proc/${pid}/ns/net`, 'r'))),
  );
  // Tools are other processes: they find our handle by our process id.
  const path = `/proc/${process.pid}/fd/${namespace.fd}`;
  try {
    await runInNetns(path, 'ip', ['link', 'set', 'lo', 'up']);
    const proxy = await startProxy(path, policy, resolve);
    return {
      refusals: proxy.refusals,
      run: (tool, args, options = {}) =>
        runInNetns(path, tool, args, { ...options, env: { ...options.env, ...proxyEnvironment(proxy.url) } }),
      [Symbol.asyncDispose]: async () => {
        await proxy.close();
        namespace.close();
      },
    };
  } catch (error) {
    namespace.close();
    throw error;
  }
}

function proxyEnvironment(url: string): Readonly<Record<string, string>> {
  const all = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '' };
  return {
    ...all,
    ...Object.fromEntries(Object.entries(all).map(([key, value]) => [key.toLowerCase(), value])),
  };
}

interface Proxy {
  readonly url: string;
  readonly refusals: string[];
  close(): Promise<void>;
}

async function startProxy(netns: string, policy: DialPolicy, resolve?: Resolve): Promise<Proxy> {
  const secret = randomBytes(24).toString('hex');
  const authorization = Buffer.from(`Basic ${Buffer.from(`tool:${secret}`).toString('base64')}`);
  const refusals: string[] = [];
  const sockets = new Set<Duplex>();
  const track = <T extends Duplex>(socket: T): T => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket.on('error', () => socket.destroy());
  };
  const isKnown = ({ headers }: IncomingMessage): boolean => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === authorization.length && timingSafeEqual(given, authorization);
  };
  const refuse = (error: unknown): number => {
    if (!(error instanceof AddressRefused)) return 502;
    refusals.push(error.message);
    return 403;
  };
  const server = createServer((request, response) => {
    if (!isKnown(request)) return void response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
    forward(request, response, (host) => checkedHost(host, policy, resolve), refuse);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', track);
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    track(client);
    const end = (status: number, why = STATUS_CODES[status]): void =>
      void client.end(`HTTP/1.1 ${status} ${why}\r\nContent-Length: 0\r\n\r\n`);
    const fail = (error: unknown): void => end(refuse(error), dialWords(error));
    if (!isKnown(request)) return end(407);
    const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(request.url ?? '') ?? [];
    try {
      const remote = track(dial(checkedHost(host.replace(/^\[|\]$/g, ''), policy, resolve), Number(port)));
      remote.once('error', (error) => (client.writable ? fail(error) : client.destroy()));
      remote.once('connect', () => {
        remote.setTimeout(0);
        client.write('HTTP/1.1 200 Connected\r\n\r\n');
        remote.write(head);
        client.pipe(remote).pipe(client);
        client.once('close', () => remote.destroy());
        remote.once('close', () => client.destroy());
      });
    } catch (error) {
      fail(error);
    }
  });
  // Without a host the socket is made at once, while this thread is in the namespace, where nobody else is.
  withNetns(netns, () => server.listen(0));
  await once(server, 'listening');
  return {
    url: `http://tool:${secret}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusals,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const DIAL_WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host (no name server answers)',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  ETIMEDOUT: 'i/o timeout',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to host',
};

/**
 * Why a tunnel was not dug, in the words that Go's tools use when they dial themselves: all that a tool can tell of it.
 * Without addresses: who named a host need not learn what it means here.
 */
function dialWords(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? undefined : DIAL_WORDS[code];
}

type Check = (host: string) => ReturnType<typeof checkedHost>;

function dial({ host, lookup }: ReturnType<Check>, port: number): Socket {
  const socket = connect({ host, port, lookup });
  return socket.setTimeout(DIAL_TIMEOUT_MS, () => socket.destroy(noAnswer(host)));
}

function noAnswer(host: string): Error {
  return Object.assign(new Error(`${host} does not answer`), { code: 'ETIMEDOUT' });
}

/** A request without TLS, to an absolute URL. */
function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  check: Check,
  refuse: (error: unknown) => number,
): void {
  const fail = (error: unknown): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(refuse(error)).end(messageOf(error));
  };
  try {
    const url = new URL(incoming.url ?? '');
    if (url.protocol !== 'http:') throw new Error(`${url.protocol} is not carried`);
    const { host, lookup } = check(url.hostname.replace(/^\[|\]$/g, ''));
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const outgoing = httpRequest({
      // A connection of its own: one that is kept was checked for somebody else.
      agent: false,
      host,
      lookup,
      port: url.port === '' ? 80 : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method: incoming.method,
      headers,
      timeout: DIAL_TIMEOUT_MS,
    });
    outgoing.once('timeout', () => outgoing.destroy(noAnswer(host)));
    outgoing.once('error', fail);
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', fail);
    });
    incoming.pipe(outgoing);
  } catch (error) {
    fail(error);
  }
}
