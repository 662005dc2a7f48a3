/**
 * The bytes of one migration on this node, carried by a thread of their own with TLS 1.3 on the side of the network, so
 * that gigabytes of memory neither wait for the rest of this process nor hold it up. Decision 009.
 */
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { MigrationChannel } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { duplicate, type TlsIdentity, wakeUpPair } from '@podvisor/sys';
import type { CarrierData, FromCarrier, ToCarrier } from './carrier-messages.ts';
import type { MigrationPeer } from './identity.ts';

export interface CarrierOptions {
  readonly identities: ReadonlyMap<MigrationChannel, TlsIdentity>;
  /** The name that the peer's certificate must have, and the node that it must be of. */
  readonly peer: MigrationPeer;
  /** In which a handshake has to be done. */
  readonly handshakeMs: number;
}

/** A connection whose peer has shown who it is. */
export interface SecuredConnection {
  /** Carries between it and the Pod's socket, which is given away. */
  join(pod: Socket): void;
  drop(): void;
}

interface Known {
  readonly secured: PromiseWithResolvers<SecuredConnection>;
  readonly closed: () => void;
}

/** Beside the program when it is bundled, beside this file when it is not. */
const MAIN = import.meta.url.endsWith('.ts') ? './carrier-main.ts' : './migration-carrier.mjs';

/**
 * Of one migration, on either node. It needs one for libvirt, one for each disk and some for memory; each costs half a
 * mebibyte and three descriptors, and a launcher that was taken over could open them without end.
 */
export const MAX_CONNECTIONS = 256;

export class Carrier implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #wake: ReturnType<typeof wakeUpPair>;
  readonly #known = new Map<number, Known>();
  readonly #ended: Promise<void>;
  #next = 1;
  #isStopped = false;

  constructor({ identities, peer, handshakeMs }: CarrierOptions) {
    this.#wake = wakeUpPair();
    const data: CarrierData = { identities, peer, handshakeMs, wakeFd: this.#wake.readFd };
    this.#worker = new Worker(new URL(MAIN, import.meta.url), {
      workerData: data,
      trackUnmanagedFds: false, // its descriptors come from here
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
    });
    this.#worker.on('message', (message: FromCarrier) => this.#heard(message));
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    const lost = (error?: unknown): void => {
      this.#isStopped = true;
      for (const id of this.#known.keys())
        this.#forget(id, `the carrier ended: ${String(error ?? 'stopped')}`);
    };
    this.#worker.once('error', lost);
    this.#worker.once('exit', () => lost());
  }

  /** Connections that it has, those included that have not shown who they are. */
  get connections(): number {
    return this.#known.size;
  }

  /**
   * Agrees with the peer on a connected socket, which is given away: paused from the beginning, so that no byte of it
   * has been read. `onClosed` is called once, when it is gone, whatever became of it. Rejects when the peer is refused,
   * or sent away by the signal.
   */
  secure(
    channel: MigrationChannel,
    network: Socket,
    onClosed: () => void = () => {},
    signal?: AbortSignal,
  ): Promise<SecuredConnection> {
    const id = this.#next++;
    const secured = Promise.withResolvers<SecuredConnection>();
    this.#known.set(id, { secured, closed: onClosed });
    signal?.addEventListener('abort', () => this.#say({ kind: 'dismiss', id }), { once: true });
    try {
      if (this.#isStopped) throw new Error('the migration is over');
      this.#give(network, (fd) => ({ kind: 'secure', id, channel, network: fd }));
    } catch (error) {
      this.#forget(id, messageOf(error)); // it broke meanwhile
    }
    network.destroy();
    return secured.promise;
  }

  /** Breaks every connection. Resolves when the thread has ended. */
  async close(): Promise<void> {
    if (!this.#isStopped) {
      this.#isStopped = true;
      this.#say({ kind: 'stop' });
    }
    await this.#ended;
    this.#wake.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #heard(message: FromCarrier): void {
    const { id } = message;
    if (message.kind === 'closed') return this.#forget(id, message.why);
    this.#known.get(id)?.secured.resolve({
      join: (pod) => {
        try {
          if (this.#known.has(id)) this.#give(pod, (fd) => ({ kind: 'join', id, pod: fd }));
        } catch {
          this.#say({ kind: 'drop', id }); // it broke meanwhile
        }
        pod.destroy();
      },
      drop: () => this.#say({ kind: 'drop', id }),
    });
  }

  #forget(id: number, why = 'the connection broke'): void {
    const known = this.#known.get(id);
    this.#known.delete(id);
    known?.secured.promise.catch(() => {}); // whoever waits for it is told; nobody may be
    known?.secured.reject(new Error(why));
    known?.closed();
  }

  #give(socket: Socket, message: (fd: number) => ToCarrier): void {
    const fd = duplicate(socket);
    this.#say(message(fd.release()));
  }

  #say(message: ToCarrier): void {
    if (this.#isStopped && message.kind !== 'stop') {
      if (message.kind === 'secure') closeSync(message.network);
      if (message.kind === 'join') closeSync(message.pod);
      return;
    }
    this.#worker.postMessage(message);
    this.#wake.wake();
  }
}
