/**
 * Keeps in touch with the launcher of one Pod for as long as the Pod matters: waits for its socket by
 * file system events, connects, follows its domain, and comes back after a loss. What it knows is its
 * `view`, and a loss makes that unknown, never absent.
 */
import type { DomainState } from '@podvisor/api';
import { backoffMs, type Clock, messageOf, type Uid } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { BoundedWatch } from '@podvisor/sys';
import { QemuNumbers } from '../qemu-numbers/qemu-numbers.ts';
import { RateLimit } from './rate-limit.ts';
import { LauncherConnection } from './connection.ts';
import { type DomainView, isOver } from './domain-view.ts';
import { LauncherSocketError, openLauncherSocket, type SocketChecks, socketsDirectory } from './socket.ts';

/** Only a safety net: the usual trigger is the file system event. */
const BACKOFF = { firstMs: 100, maxMs: 10_000 };
/** Longest texts that Kubernetes has in an event. */
const MAX_REASON = 128;
const MAX_MESSAGE = 1024;

/** For the VMI's event list. */
export interface LauncherEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface LinkOptions {
  readonly kubeletDir: string;
  readonly podUid: Uid;
  readonly clock: Clock;
  readonly log: Log;
  readonly checks?: SocketChecks;
  /** Something changed: connection or view. */
  readonly onChange: () => void;
  /** The launcher has news for the VMI's event list. */
  readonly onEvent: (event: LauncherEvent) => void;
}

export class LauncherLink implements Disposable {
  readonly podUid: Uid;
  /** When this link was made. */
  readonly sinceMs: number;
  /** Of the guest, from its QEMU. */
  readonly numbers: QemuNumbers;
  readonly #options: LinkOptions;
  readonly #rateLimit: RateLimit;
  #view: DomainView;
  #final: DomainState | undefined;
  #connection: LauncherConnection | undefined;
  #connectedAtMs: number | undefined;
  #watcher: BoundedWatch | undefined;
  #stopWatch: () => void = () => {};
  #cancelRetry: () => void = () => {};
  #failures = 0;
  #busy = false;
  #again = false;
  #closed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.podUid = options.podUid;
    const { kubeletDir, podUid, checks } = options;
    this.numbers = new QemuNumbers({ directory: socketsDirectory(kubeletDir, podUid), podUid, checks });
    this.#rateLimit = new RateLimit(options.clock, options.onChange);
    this.sinceMs = options.clock.now();
    this.#view = { kind: 'unknown', why: 'the launcher was not asked yet', sinceMs: this.sinceMs };
    void this.#connect();
  }

  get view(): DomainView {
    return this.#view;
  }

  get connected(): boolean {
    return this.#connection !== undefined;
  }

  /** The state in which the guest's run ended, as the launcher told it. A launcher runs its VM once. */
  get final(): DomainState | undefined {
    return this.#final;
  }

  /** When this process first reached the launcher. */
  get connectedAtMs(): number | undefined {
    return this.#connectedAtMs;
  }

  /** The live connection, when there is one. */
  get connection(): LauncherConnection | undefined {
    return this.#connection;
  }

  /** Something hints that the socket may be there now. */
  poke(): void {
    if (this.#connection === undefined) void this.#connect();
  }

  async #connect(): Promise<void> {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    if (this.#closed || this.#connection !== undefined) return;
    this.#busy = true;
    this.#cancelRetry();
    const directory = socketsDirectory(this.#options.kubeletDir, this.podUid);
    try {
      this.#watchDirectory(directory);
      const socket = await openLauncherSocket(directory, this.podUid, this.#options.checks);
      if (this.#closed) socket.handle.close();
      else this.#connected(new LauncherConnection(socket, this.#options.clock));
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#busy = false;
      if (this.#again) {
        this.#again = false;
        void this.#connect();
      }
    }
  }

  #connected(connection: LauncherConnection): void {
    this.#connection = connection;
    this.#connectedAtMs ??= this.#options.clock.now();
    this.#stopWatch = connection.watch({
      onState: (domain) => {
        this.#failures = 0;
        if (domain !== undefined && isOver(domain)) this.#final = domain;
        this.#setView(
          domain === undefined ? { kind: 'absent', proof: 'launcher-says-so' } : { kind: 'present', domain },
        );
      },
      onEvent: (type, reason, message) =>
        this.#options.onEvent({
          type: type === 'Warning' ? 'Warning' : 'Normal',
          reason: reason.slice(0, MAX_REASON),
          message: message.slice(0, MAX_MESSAGE),
        }),
      onEnd: (why) => this.#lost(connection, why),
    });
    this.#rateLimit.notify();
  }

  #lost(connection: LauncherConnection, why: string): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    connection.close();
    if (this.#closed) return;
    this.#setView({ kind: 'unknown', why, sinceMs: this.#options.clock.now() });
    this.#retryLater();
  }

  #failed(error: unknown): void {
    const kind = error instanceof LauncherSocketError ? error.kind : 'refused';
    if (kind === 'untrusted')
      this.#options.log.error({ pod: this.podUid, error: messageOf(error) }, 'launcher socket refused');
    if (this.#view.kind === 'unknown' && this.#view.why !== messageOf(error))
      this.#view = { ...this.#view, why: messageOf(error) };
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#closed) return;
    this.#failures += 1;
    this.#cancelRetry = this.#options.clock.after(
      backoffMs(this.#failures, BACKOFF),
      () => void this.#connect(),
    );
  }

  #watchDirectory(directory: string): void {
    if (this.#watcher !== undefined) return;
    try {
      this.#watcher = new BoundedWatch(directory, {
        clock: this.#options.clock,
        onChange: () => this.poke(),
        onEnd: () => this.#unwatch(),
      });
    } catch (error) {
      // The kubelet has not made the volume yet, or has removed it: the retry looks again.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new LauncherSocketError('missing', 'the Pod has no sockets volume yet', { cause: error });
      throw error;
    }
  }

  #unwatch(): void {
    this.#watcher?.[Symbol.dispose]();
    this.#watcher = undefined;
  }

  #setView(view: DomainView): void {
    this.#view = view;
    this.#rateLimit.notify();
  }

  close(): void {
    this.#closed = true;
    this.#rateLimit.stop();
    this.#cancelRetry();
    this.#unwatch();
    this.#stopWatch();
    this.#connection?.close();
    this.#connection = undefined;
    this.numbers[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
