/** Asks the machine's own resolvers what the cluster does not know. Bounded in number and in time. */
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect, isIP } from 'node:net';
import { randomInt } from 'node:crypto';

export type Transport = 'udp' | 'tcp';

export interface Forwarder {
  /** The answer with the query's own id; undefined when nobody answers in time. */
  ask(query: Uint8Array, transport: Transport): Promise<Uint8Array | undefined>;
}

const TIMEOUT_MS = 2000;
/** Eight times what one client may ask at once (server.ts). */
const MAX_PENDING = 512;
const MAX_TCP_BYTES = 65_535;

/** `servers` is called for each query: the machine may have moved to another network. */
export function forwarderTo(servers: () => readonly string[]): Forwarder {
  let pending = 0;
  return {
    ask: async (query, transport) => {
      if (pending >= MAX_PENDING || query.length < 12) return undefined;
      pending += 1;
      try {
        for (const server of servers()) {
          const answer = await (transport === 'udp' ? askUdp(server, query) : askTcp(server, query));
          if (answer !== undefined) return answer;
        }
        return undefined;
      } finally {
        pending -= 1;
      }
    },
  };
}

/** Nameservers of the machine. Our own address among them would be a circle. */
export function hostResolvers(own: string, file = '/etc/resolv.conf'): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .flatMap(([word, address = '']) =>
        word === 'nameserver' && isIP(address) !== 0 && address !== own ? [address] : [],
      )
      .slice(0, 3);
  } catch {
    return [];
  }
}

/** A socket and an id of its own for each query: an answer cannot be guessed from outside. */
function askUdp(server: string, query: Uint8Array): Promise<Uint8Array | undefined> {
  const id = randomInt(0x10000);
  const sent = withId(query, id);
  return new Promise((resolve) => {
    const socket = createSocket(isIP(server) === 6 ? 'udp6' : 'udp4');
    const finish = (answer: Uint8Array | undefined): void => {
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(undefined), TIMEOUT_MS);
    socket.on('error', () => finish(undefined));
    socket.on('message', (answer) => {
      if (answer.length >= 12 && answer.readUInt16BE(0) === id) finish(withId(answer, idOf(query)));
    });
    socket.connect(53, server, () => socket.send(sent));
  });
}

function askTcp(server: string, query: Uint8Array): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: server, port: 53, timeout: TIMEOUT_MS });
    let heard = Buffer.alloc(0);
    const finish = (answer: Uint8Array | undefined): void => {
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(undefined), 2 * TIMEOUT_MS);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    socket.on('error', () => finish(undefined));
    socket.on('timeout', () => finish(undefined));
    socket.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      if (heard.length < 2) return;
      const length = heard.readUInt16BE(0);
      if (heard.length >= length + 2) finish(heard.subarray(2, length + 2));
      else if (heard.length > MAX_TCP_BYTES) finish(undefined);
    });
    const framed = Buffer.alloc(query.length + 2);
    framed.writeUInt16BE(query.length, 0);
    framed.set(query, 2);
    socket.write(framed);
  });
}

function idOf(message: Uint8Array): number {
  return ((message[0] ?? 0) << 8) | (message[1] ?? 0);
}

function withId(message: Uint8Array, id: number): Uint8Array {
  const copy = Uint8Array.from(message);
  copy[0] = id >> 8;
  copy[1] = id & 0xff;
  return copy;
}
