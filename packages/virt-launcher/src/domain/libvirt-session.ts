/**
 * The launcher's connection to libvirtd, through all of libvirtd's lives. While there is none, the state
 * of the domain is unknown: calls fail with LibvirtUnavailable, and nobody concludes that it is gone.
 */
import { type Clock, sleep } from '@podvisor/base';
import type { DomainEvent, DomainEventKind, LibvirtConnection } from '@podvisor/libvirt';
import type { Log } from '../log.ts';

/** libvirtd does not answer at the moment; nothing is known about the domain. */
export class LibvirtUnavailable extends Error {
  override readonly name = 'LibvirtUnavailable';

  constructor() {
    super('libvirtd is being restarted; the state of the virtual machine is unknown until it is back');
  }
}

export interface SessionOptions {
  /** Waits until libvirtd listens and connects. */
  readonly connect: (signal: AbortSignal) => Promise<LibvirtConnection>;
  readonly onEvent: (event: DomainEvent) => void;
  /** After each new connection; the domain may have changed while there was none. */
  readonly onConnected: () => void;
  readonly onLost: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

const EVENTS: readonly DomainEventKind[] = [
  'lifecycle',
  'reboot',
  'agentLifecycle',
  'ioError',
  'deviceAdded',
  'deviceRemoved',
  'memoryDeviceSizeChange',
  'jobCompleted',
  'migrationIteration',
];
/** Between tries when the socket is there and refuses: libvirtd binds it shortly before it listens. */
const RETRY_MS = 5;

export class LibvirtSession {
  readonly #options: SessionOptions;
  readonly #closing = new AbortController();
  #connection: LibvirtConnection | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The live connection; throws LibvirtUnavailable when there is none. */
  get connection(): LibvirtConnection {
    if (this.#connection === undefined) throw new LibvirtUnavailable();
    return this.#connection;
  }

  /** Connects, and from then on reconnects by itself. */
  async open(): Promise<void> {
    const { connect, clock, onConnected, onEvent, onLost, log } = this.#options;
    const signal = this.#closing.signal;
    const connection = await this.#try(connect, clock);
    connection.onClose((error, expected) => {
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      if (expected || signal.aborted) return;
      log.warn({ error }, 'lost the connection to libvirtd');
      onLost();
      // It ends only by `close`; a failure to connect is retried inside.
      this.open().catch((failure: unknown) => log.info({ failure }, 'stopped connecting to libvirtd'));
    });
    try {
      await connection.subscribe(EVENTS, onEvent);
    } catch (error) {
      // It broke before it was ours: the next one is tried as if this had never been.
      log.warn({ error }, 'libvirtd went away while we subscribed');
      await connection.close();
      return this.open();
    }
    this.#connection = connection;
    onConnected();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the launcher is ending'));
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  async #try(connect: SessionOptions['connect'], clock: Clock): Promise<LibvirtConnection> {
    const signal = this.#closing.signal;
    for (;;) {
      try {
        return await connect(signal);
      } catch (error) {
        signal.throwIfAborted();
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        if (code !== 'ECONNREFUSED' && code !== 'ENOENT')
          this.#options.log.warn({ error }, 'cannot connect to libvirtd yet');
        await sleep(clock, RETRY_MS, signal);
      }
    }
  }
}
