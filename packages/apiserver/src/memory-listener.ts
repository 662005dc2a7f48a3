/**
 * The way into the server for the parts that live in its own process: pipes in memory in place of TLS
 * connections. Each of some two hundred watches would cost two sockets, two TLS states and a handshake. Who
 * comes in is who the certificate says, as over TLS; nobody outside the process can hold a pipe.
 */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { memoryPipe } from './memory-pipe.ts';

export class MemoryListener<User> {
  readonly #server: Server;
  readonly #vouch: (socket: Duplex, user: User) => void;
  readonly #open = new Set<Duplex>();

  /** `vouch` hears who is at the other end of a socket before the server, which never listens, gets it. */
  constructor(server: Server, vouch: (socket: Duplex, user: User) => void) {
    this.#server = server;
    this.#vouch = vouch;
  }

  /** One connection of this user. */
  dial(user: User): Duplex {
    const [client, socket] = memoryPipe();
    this.#vouch(socket, user);
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    this.#server.emit('connection', socket);
    return client;
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
