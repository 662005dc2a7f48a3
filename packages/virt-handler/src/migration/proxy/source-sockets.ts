/**
 * The source's end of a migration: one unix socket for each channel in the Pod's sockets directory, which libvirt's
 * client and QEMU in the Pod connect to, each connection carried to the target's virt-handler by TLS. The directory
 * is the tenant's: sockets are made beneath a handle on it, and only the Pod's launcher user gets through.
 */
import { chmodSync, chownSync, fstatSync, rmSync } from 'node:fs';
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { type MigrationChannel, migrationSocketName } from '@podvisor/api';
import { messageOf, type Uid } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import {
  breakWhenSilent,
  O_PATH,
  openBeneath,
  openDirectory,
  type OwnedFd,
  type PeerCredentials,
  peerCredentials,
} from '@podvisor/sys';
import { limitSender } from './backlog.ts';
import { Carrier, MAX_CONNECTIONS } from './carrier.ts';
import { SERVER_NAME, tlsIdentities } from './identity.ts';
import { SILENCE_SECONDS } from './listeners.ts';

export interface SourceSocketsOptions {
  /** The Pod's sockets directory on this node. */
  readonly directory: string;
  /** Owner of the sockets on disk. */
  readonly uid: number;
  /** True for the Pod's launcher, who alone gets through. */
  readonly isLauncher: (peer: PeerCredentials) => boolean;
  readonly tlsDir: string;
  readonly migrationUid: Uid;
  readonly target: {
    /** Who must answer there. */
    readonly node: string;
    readonly address: string;
    readonly ports: ReadonlyMap<MigrationChannel, number>;
  };
  readonly log: Log;
}

export class SourceSockets implements AsyncDisposable {
  readonly #options: SourceSocketsOptions;
  readonly #directory: OwnedFd;
  readonly #servers: Server[] = [];
  readonly #carrier: Carrier;
  /** Before they are given to a carrier. */
  readonly #sockets = new Set<Socket>();

  private constructor(options: SourceSocketsOptions) {
    this.#options = options;
    this.#directory = openDirectory(options.directory);
    this.#carrier = new Carrier({
      identities: tlsIdentities(options.tlsDir, 'client', options.migrationUid),
      peer: { name: SERVER_NAME, node: options.target.node },
      handshakeMs: SILENCE_SECONDS * 1000,
    });
  }

  static async open(options: SourceSocketsOptions): Promise<SourceSockets> {
    const sockets = new SourceSockets(options);
    try {
      for (const channel of options.target.ports.keys()) await sockets.#listen(channel);
      return sockets;
    } catch (error) {
      await sockets.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise<void>((done) => server.close(() => done())));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([...closed, this.#carrier.close()]);
    this.#directory.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #listen(channel: MigrationChannel): Promise<void> {
    const name = migrationSocketName(this.#options.migrationUid, channel, 'source');
    const path = `${this.#directory.procPath}/${name}`;
    rmSync(path, { force: true }); // an earlier life of this process left it
    const server = createServer(
      { allowHalfOpen: true, pauseOnConnect: true },
      (socket) => void this.#accept(socket, channel),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    this.#servers.push(server);
    using entry = openBeneath(this.#directory, name, { flags: O_PATH });
    // The directory is the launcher's: what is given to it must be what was made.
    if (!fstatSync(entry.fd).isSocket()) throw new Error(`${name} was changed by somebody while it was made`);
    chownSync(entry.procPath, this.#options.uid, this.#options.uid);
    chmodSync(entry.procPath, 0o600);
  }

  async #accept(socket: Socket, channel: MigrationChannel): Promise<void> {
    const { isLauncher, migrationUid, log } = this.#options;
    this.#track(socket);
    try {
      // Those that are on their way have a socket at each end.
      if (this.#carrier.connections + this.#sockets.size / 2 > MAX_CONNECTIONS)
        throw new Error(`it has ${MAX_CONNECTIONS} connections already`);
      const peer = peerCredentials(socket);
      if (!isLauncher(peer)) throw new Error(`process ${peer.pid} of user ${peer.uid} is not the launcher`);
      const target = await this.#carrier.secure(channel, await this.#dial(channel));
      if (socket.destroyed) target.drop();
      else target.join(socket);
    } catch (error) {
      log.warn({ migration: migrationUid, channel, error: messageOf(error) }, 'target is not reached');
      socket.destroy();
    }
  }

  async #dial(channel: MigrationChannel): Promise<Socket> {
    const { target } = this.#options;
    const tcp = connectTcp({
      host: target.address,
      port: target.ports.get(channel) ?? 0,
      noDelay: true,
      allowHalfOpen: true,
      timeout: SILENCE_SECONDS * 1000,
    });
    tcp.pause(); // the carrier reads it, from the first byte on
    this.#track(tcp);
    await new Promise<void>((resolve, reject) => {
      tcp.once('connect', resolve);
      tcp.once('error', reject);
      tcp.once('timeout', () => reject(new Error(`${target.address} does not answer`)));
    });
    tcp.setTimeout(0);
    breakWhenSilent(tcp, SILENCE_SECONDS);
    limitSender(tcp);
    return tcp;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
