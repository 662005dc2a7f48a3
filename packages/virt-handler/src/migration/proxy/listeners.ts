/**
 * The target's end of a migration: one TLS listener for each channel, on the migration address and a port of the
 * moment, for one migration. Who does not show the certificate and name the migration gets nothing; when the
 * migration is over nothing listens any more.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { MIGRATION_CHANNELS, type MigrationChannel } from '@podvisor/api';
import { messageOf, type Uid } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { breakWhenSilent } from '@podvisor/sys';
import { limitReceiver, limitSender } from './backlog.ts';
import { Carrier, MAX_CONNECTIONS, type SecuredConnection } from './carrier.ts';
import { CLIENT_NAME, tlsIdentities } from './identity.ts';
import { Strangers } from './strangers.ts';

export interface ListenerOptions {
  /** Address of this node that others migrate to. */
  readonly address: string;
  readonly tlsDir: string;
  readonly migrationUid: Uid;
  /** The only node that may connect. */
  readonly sourceNode: string;
  /** Connects to the channel's socket in the target Pod. */
  readonly dial: (channel: MigrationChannel) => Promise<Socket>;
  readonly log: Log;
}

/** A peer that says nothing for this long is gone; also the time in which a handshake has to be done. */
export const SILENCE_SECONDS = 15;

export class MigrationListeners implements AsyncDisposable {
  readonly #options: ListenerOptions;
  readonly #servers = new Map<MigrationChannel, Server>();
  readonly #carrier: Carrier;
  /** Connections of the source. */
  #carried = 0;
  readonly #strangers = new Strangers();

  private constructor(options: ListenerOptions) {
    this.#options = options;
    this.#carrier = new Carrier({
      identities: tlsIdentities(options.tlsDir, 'server', options.migrationUid),
      peer: { name: CLIENT_NAME, node: options.sourceNode },
      handshakeMs: SILENCE_SECONDS * 1000,
    });
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
    await Promise.all([...closed, this.#carrier.close()]);
    this.#servers.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #listen(channel: MigrationChannel): Promise<void> {
    const { address } = this.#options;
    const server = createServer(
      { allowHalfOpen: true, pauseOnConnect: true, noDelay: true },
      (socket) => void this.#accept(socket, channel),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, address, resolve);
    });
    this.#servers.set(channel, server);
  }

  async #accept(socket: Socket, channel: MigrationChannel): Promise<void> {
    const { migrationUid, dial, log } = this.#options;
    socket.on('error', () => socket.destroy());
    const peer = socket.remoteAddress;
    if (peer === undefined) {
      socket.destroy(); // it is gone already
      return;
    }
    const ending = new AbortController();
    const admitted = this.#strangers.admit(peer, () => ending.abort());
    let secured: SecuredConnection;
    let leave = (): void => {};
    try {
      breakWhenSilent(socket, SILENCE_SECONDS);
      limitReceiver(socket);
      limitSender(socket);
      const closed = (): void => {
        admitted();
        leave();
      };
      secured = await this.#carrier.secure(channel, socket, closed, ending.signal);
    } catch (error) {
      log.warn({ migration: migrationUid, peer, error: messageOf(error) }, 'migration peer refused');
      return;
    } finally {
      admitted();
    }
    this.#carried += 1;
    leave = (): void => {
      this.#carried -= 1;
    };
    try {
      if (this.#carried > MAX_CONNECTIONS) throw new Error(`it has ${MAX_CONNECTIONS} connections already`);
      secured.join(await connected(await dial(channel)));
    } catch (error) {
      log.warn(
        { migration: migrationUid, channel, error: messageOf(error) },
        'target Pod takes no connection',
      );
      secured.drop();
    }
  }
}

/** What it says first is the carrier's to read. */
async function connected(socket: Socket): Promise<Socket> {
  socket.pause();
  socket.on('error', () => socket.destroy());
  if (socket.connecting)
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
  return socket;
}
