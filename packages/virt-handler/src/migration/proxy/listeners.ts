/**
 * The target's end of a migration: one TLS listener for each channel, on the migration address and a port of the
 * moment, for one migration. Who does not show the certificate and name the migration gets nothing; when the
 * migration is over nothing listens any more.
 */
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { MIGRATION_CHANNELS, type MigrationChannel } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { breakWhenSilent } from '@podvisor/sys';
import { CLIENT_NAME, protocolName, tlsFiles, TLS_CIPHERS, TLS_VERSION } from './identity.ts';
import { splice } from './splice.ts';

export interface ListenerOptions {
  /** Address of this node that others migrate to. */
  readonly address: string;
  readonly tlsDir: string;
  readonly migrationUid: string;
  /** Connects to the channel's socket in the target Pod. */
  readonly dial: (channel: MigrationChannel) => Promise<Socket>;
  readonly log: Log;
}

/** A peer that says nothing for this long is gone; also the time in which a handshake has to be done. */
export const SILENCE_SECONDS = 15;
/**
 * Connections from one address that have not shown who they are. Whoever holds many of them open keeps only himself
 * out: the source comes from an address of its own, and needs one for libvirt, one for memory, one for each disk.
 */
const MAX_STRANGERS = 32;

export class MigrationListeners implements AsyncDisposable {
  readonly #options: ListenerOptions;
  readonly #servers = new Map<MigrationChannel, Server>();
  readonly #sockets = new Set<Socket>();
  /** Connections before their handshake is done: ports by address. */
  readonly #strangers = new Map<string, Set<number>>();

  private constructor(options: ListenerOptions) {
    this.#options = options;
  }

  static async open(options: ListenerOptions): Promise<MigrationListeners> {
    const listeners = new MigrationListeners(options);
    try {
      for (const channel of Object.values(MIGRATION_CHANNELS)) await listeners.#listen(channel);
      return listeners;
    } catch (error) {
      await listeners.close();
      throw error;
    }
  }

  /** Port → channel, as it is told in the VMI's status. */
  get ports(): Readonly<Record<string, MigrationChannel>> {
    return Object.fromEntries(
      [...this.#servers].map(([channel, server]) => [
        String((server.address() as AddressInfo).port),
        channel,
      ]),
    );
  }

  async close(): Promise<void> {
    const closed = [...this.#servers.values()].map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    );
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
    this.#servers.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #listen(channel: MigrationChannel): Promise<void> {
    const { address, tlsDir, migrationUid } = this.#options;
    const server = createServer({
      ...tlsFiles(tlsDir, 'server'),
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: TLS_VERSION,
      ciphers: TLS_CIPHERS,
      ALPNProtocols: [protocolName(migrationUid, channel)],
      handshakeTimeout: SILENCE_SECONDS * 1000,
      noDelay: true,
      allowHalfOpen: true,
    });
    server.on('connection', (socket: Socket) => {
      if (!this.#admit(socket)) return;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.on('error', () => socket.destroy()); // the handshake's failure is told by tlsClientError
      breakWhenSilent(socket, SILENCE_SECONDS);
    });
    server.on('tlsClientError', (error) =>
      this.#options.log.warn({ migration: migrationUid, error: messageOf(error) }, 'migration peer refused'),
    );
    server.on('secureConnection', (socket) => {
      this.#forget(socket.remoteAddress, socket.remotePort);
      void this.#accept(socket, channel);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, address, resolve);
    });
    this.#servers.set(channel, server);
  }

  /** Counts a connection until it has shown who it is, or is gone. */
  #admit(socket: Socket): boolean {
    const { remoteAddress: address, remotePort: port } = socket;
    const known = this.#strangers.get(address ?? '') ?? new Set<number>();
    if (address === undefined || port === undefined || known.size >= MAX_STRANGERS) {
      socket.destroy();
      return false;
    }
    this.#strangers.set(address, known.add(port));
    socket.once('close', () => this.#forget(address, port));
    return true;
  }

  #forget(address = '', port = 0): void {
    const known = this.#strangers.get(address);
    known?.delete(port);
    if (known?.size === 0) this.#strangers.delete(address);
  }

  async #accept(socket: TLSSocket, channel: MigrationChannel): Promise<void> {
    const { migrationUid, dial, log } = this.#options;
    socket.on('error', () => socket.destroy());
    const isRight =
      socket.getPeerCertificate().subject?.CN === CLIENT_NAME &&
      socket.alpnProtocol === protocolName(migrationUid, channel);
    if (!isRight) {
      log.warn(
        { migration: migrationUid, peer: socket.remoteAddress },
        'migration peer refused: not the source',
      );
      socket.destroy();
      return;
    }
    try {
      const inner = await dial(channel);
      inner.on('error', () => inner.destroy());
      if (socket.destroyed) inner.destroy();
      else await splice(socket, inner);
    } catch (error) {
      log.warn(
        { migration: migrationUid, channel, error: messageOf(error) },
        'target Pod takes no connection',
      );
      socket.destroy();
    }
  }
}
