/**
 * The source's end of a migration: one unix socket for each channel in the Pod's sockets directory, which libvirt's
 * client and QEMU in the Pod connect to, each connection carried to the target's virt-handler by TLS. The directory
 * is the tenant's: sockets are made beneath a handle on it, and only the Pod's launcher user gets through.
 */
import { chmodSync, chownSync, rmSync } from 'node:fs';
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type MigrationChannel, migrationSocketName } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import {
  breakWhenSilent,
  O_PATH,
  openBeneath,
  openDirectory,
  type OwnedFd,
  peerCredentials,
} from '@podvisor/sys';
import { protocolName, SERVER_NAME, tlsFiles, TLS_CIPHERS, TLS_VERSION } from './identity.ts';
import { SILENCE_SECONDS } from './listeners.ts';
import { splice } from './splice.ts';

export interface SourceSocketsOptions {
  /** The Pod's sockets directory on this node. */
  readonly directory: string;
  readonly uid: number;
  readonly isInPod: (pid: number) => boolean;
  readonly tlsDir: string;
  readonly migrationUid: string;
  readonly target: { readonly address: string; readonly ports: ReadonlyMap<MigrationChannel, number> };
  readonly log: Log;
}

export class SourceSockets implements AsyncDisposable {
  readonly #options: SourceSocketsOptions;
  readonly #directory: OwnedFd;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(options: SourceSocketsOptions) {
    this.#options = options;
    this.#directory = openDirectory(options.directory);
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
    await Promise.all(closed);
    this.#directory.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #listen(channel: MigrationChannel): Promise<void> {
    const name = migrationSocketName(this.#options.migrationUid, channel, 'source');
    const path = `${this.#directory.procPath}/${name}`;
    rmSync(path, { force: true }); // an earlier life of this process left it
    const server = createServer({ allowHalfOpen: true }, (socket) => void this.#accept(socket, channel));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    this.#servers.push(server);
    using entry = openBeneath(this.#directory, name, { flags: O_PATH });
    chownSync(entry.procPath, this.#options.uid, this.#options.uid);
    chmodSync(entry.procPath, 0o600);
  }

  async #accept(socket: Socket, channel: MigrationChannel): Promise<void> {
    const { uid, isInPod, migrationUid, log } = this.#options;
    this.#track(socket);
    try {
      const peer = peerCredentials(socket);
      if (peer.uid !== uid || !isInPod(peer.pid))
        throw new Error(`process ${peer.pid} of user ${peer.uid} is not the launcher`);
      const target = await this.#dial(channel);
      if (socket.destroyed) target.destroy();
      else await splice(socket, target);
    } catch (error) {
      log.warn({ migration: migrationUid, channel, error: messageOf(error) }, 'target is not reached');
      socket.destroy();
    }
  }

  async #dial(channel: MigrationChannel): Promise<TLSSocket> {
    const { target, tlsDir, migrationUid } = this.#options;
    const tcp = connectTcp({
      host: target.address,
      port: target.ports.get(channel) ?? 0,
      noDelay: true,
      allowHalfOpen: true,
      timeout: SILENCE_SECONDS * 1000,
    });
    this.#track(tcp);
    await new Promise<void>((resolve, reject) => {
      tcp.once('connect', resolve);
      tcp.once('error', reject);
      tcp.once('timeout', () => reject(new Error(`${target.address} does not answer`)));
    });
    tcp.setTimeout(0);
    breakWhenSilent(tcp, SILENCE_SECONDS);
    const secure = connectTls({
      socket: tcp, // and half-open as it is
      ...tlsFiles(tlsDir, 'client'),
      minVersion: TLS_VERSION,
      ciphers: TLS_CIPHERS,
      ALPNProtocols: [protocolName(migrationUid, channel)],
      // One certificate may serve all nodes of a cluster: what counts is the CA and what it is for.
      checkServerIdentity: (_host, certificate) =>
        certificate.subject.CN === SERVER_NAME
          ? undefined
          : new Error(`the target shows the certificate of ${certificate.subject.CN}`),
    });
    await new Promise<void>((resolve, reject) => {
      secure.once('secureConnect', resolve);
      secure.once('error', reject);
      secure.once('close', () => reject(new Error('the target closed the connection')));
    });
    secure.on('error', () => secure.destroy());
    return secure;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
