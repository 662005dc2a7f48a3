/** Connections to a port of a guest, as byte streams. */
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Duplex } from 'node:stream';
import { parseAddress } from '@podvisor/base';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A TCP connection, or a UDP socket whose datagrams are the stream's chunks. `address` is canonical and was checked; nothing
 * is resolved here.
 */
export function dialPort({
  address,
  port,
  protocol,
}: {
  readonly address: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}): Promise<Duplex> {
  if (isOwn(address)) return Promise.reject(new Error(`${address} is an address of virt-api's own machine`));
  return protocol === 'tcp' ? dialTcp(address, port) : dialUdp(address, port);
}

/** A guest may report the address of the machine that dials. */
function isOwn(address: string): boolean {
  return Object.values(networkInterfaces()).some((list = []) =>
    list.some((own) => parseAddress(own.address.split('%')[0] ?? '')?.text === address),
  );
}

function dialTcp(host: string, port: number): Promise<Duplex> {
  const socket = connect({ host, port, noDelay: true });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => socket.destroy(new Error(`the guest does not answer at ${host}, port ${port}`)),
      CONNECT_TIMEOUT_MS,
    );
    const fail = (error: Error): void => reject(unreachable(error, host, port));
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
    socket.once('close', () => clearTimeout(timer));
  });
}

/** In words: who forwards a port knows the guest, not the socket. */
export function unreachable(error: Error, host: string, port: number): Error {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return new Error(
        `the guest cannot be reached at ${host}: it has no network yet, or still boots (virtctl net shows the way to it)`,
        { cause: error },
      );
    case 'ECONNREFUSED':
      return new Error(`nothing listens on port ${port} of the guest (${host})`, { cause: error });
    default:
      return error;
  }
}

function dialUdp(host: string, port: number): Promise<Duplex> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  const stream = new Duplex({
    // Datagrams that nobody reads are lost, as UDP may lose them.
    read() {},
    write(chunk: Buffer, _encoding, done) {
      socket.send(chunk, (error) => done(error));
    },
    final(done) {
      socket.close(() => done());
    },
    destroy(error, done) {
      try {
        socket.close();
      } catch {
        // Closed already.
      }
      done(error);
    },
  });
  socket.on('message', (message) => {
    if (stream.readableLength < stream.readableHighWaterMark) stream.push(message);
  });
  socket.on('error', (error) => stream.destroy(error));
  return new Promise((resolve) => {
    socket.connect(port, host, () => resolve(stream));
  });
}
