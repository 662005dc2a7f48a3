/** Listens for DNS queries, UDP and TCP, on one address. Bounded: queries at once, connections, idle time. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import type { Transport } from './forward.ts';
import { Shares } from './shares.ts';

export interface DnsServerOptions {
  readonly address: string;
  readonly port: number;
  /** Undefined: no answer. Never rejects for what a client sent. */
  answer(query: Uint8Array, transport: Transport): Promise<Uint8Array | undefined>;
  /** The socket failed after it listened. */
  onError(error: Error): void;
}

export interface DnsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Over UDP: at once in all, and of one client. */
const QUERIES = { all: 1024, each: 64 };
const CONNECTIONS = { all: 128, each: 16 };
const IDLE_MS = 10_000;
const MAX_QUERY_BYTES = 4096;

export async function startDnsServer(options: DnsServerOptions): Promise<DnsServer> {
  const tcp = await listenTcp(options);
  const bound = tcp.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
  try {
    const udp = await listenUdp({ ...options, port });
    return { port, close: () => closeBoth(udp, tcp) };
  } catch (error) {
    tcp.close();
    throw error;
  }
}

async function closeBoth(udp: UdpSocket, tcp: Server): Promise<void> {
  await Promise.all([
    new Promise<void>((resolve) => udp.close(() => resolve())),
    new Promise<void>((resolve) => tcp.close(() => resolve())),
  ]);
}

function listenUdp({ address, port, answer, onError }: DnsServerOptions): Promise<UdpSocket> {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4' });
  const running = new Shares(QUERIES);
  socket.on('message', (query, from) => {
    if (query.length > MAX_QUERY_BYTES) return;
    const done = running.take(from.address);
    // Too many at once: the client asks again.
    if (done === undefined) return;
    const reply = (bytes: Uint8Array | undefined): void =>
      bytes && socket.send(bytes, from.port, from.address, () => undefined);
    void answer(query, 'udp').then(reply, onError).finally(done);
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, address, () => {
      socket.off('error', reject);
      socket.on('error', onError);
      resolve(socket);
    });
  });
}

function listenTcp({ address, port, answer, onError }: DnsServerOptions): Promise<Server> {
  const open = new Set<Socket>();
  const shares = new Shares(CONNECTIONS);
  const server = createServer((socket) => {
    const close = shares.take(socket.remoteAddress ?? '');
    if (close === undefined) return void socket.destroy();
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      close();
    });
    converse(socket, answer);
  });
  const close = server.close.bind(server);
  server.close = (callback) => {
    for (const socket of open) socket.destroy();
    return close(callback);
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      server.on('error', onError);
      resolve(server);
    });
  });
}

/** Queries come with their length in front, one after the other. */
function converse(socket: Socket, answer: DnsServerOptions['answer']): void {
  let heard = Buffer.alloc(0);
  let turn = Promise.resolve();
  let waiting = 0;
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk]);
    while (heard.length >= 2) {
      const length = heard.readUInt16BE(0);
      if (length > MAX_QUERY_BYTES || waiting > 16) return void socket.destroy();
      if (heard.length < length + 2) return;
      const query = heard.subarray(2, length + 2);
      heard = heard.subarray(length + 2);
      waiting += 1;
      turn = turn
        .then(() => answer(query, 'tcp'))
        .then((bytes) => {
          waiting -= 1;
          if (bytes !== undefined && !socket.destroyed) socket.write(framed(bytes));
        })
        .catch(() => void socket.destroy());
    }
  });
}

function framed(bytes: Uint8Array): Buffer {
  const frame = Buffer.alloc(bytes.length + 2);
  frame.writeUInt16BE(bytes.length, 0);
  frame.set(bytes, 2);
  return frame;
}
