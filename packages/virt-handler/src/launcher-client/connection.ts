/** The gRPC connection to one launcher, over a socket that was checked. Every call has a deadline. */
import { type CallOptions, ChannelCredentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import {
  type DomainState,
  type HoldOptions,
  launcherProto,
  type MigrationOptions,
  type SyncOptions,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { betweenFailPoints, type Clock, systemClock } from '@podvisor/base';
import type { PeerCredentials } from '@podvisor/sys';
import { ListeningPace } from './listening-pace.ts';
import { DomainMessageError, parseDomain } from './parse-domain.ts';
import type { CheckedSocket } from './socket.ts';

const SHORT_MS = 5_000;
const LONG_MS = 20_000;
/** Making disks and starting QEMU on a busy node; a retry finds what the first attempt made. */
const SYNC_MS = 60_000;
/** A domain state is a few KiB; whatever a launcher sends, this is all we read. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Characters. It goes to logs, records on the node and the VMI's status. */
const MAX_REASON = 4096;

/** The launcher did what was asked, and says that it failed. */
export class LauncherCallError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LauncherCallError';
  }
}

/** The bitmaps of a checkpoint are missing or broken. */
export class CheckpointInvalidError extends LauncherCallError {}

/** Verbs that take the VMI and answer yes or no. */
export type SimpleVerb =
  | 'pauseVirtualMachine'
  | 'unpauseVirtualMachine'
  | 'softRebootVirtualMachine'
  | 'resetVirtualMachine'
  | 'unfreezeVirtualMachine'
  | 'shutdownVirtualMachine'
  | 'killVirtualMachine'
  | 'deleteVirtualMachine'
  | 'cancelVirtualMachineMigration'
  | 'finalizeVirtualMachineMigration'
  | 'signalTargetPodCleanup';

/** Questions that are answered with JSON. */
export type JsonVerb =
  | 'getGuestInfo'
  | 'getUsers'
  | 'getFilesystems'
  | 'getDomainStats'
  | 'getUsageHistory'
  | 'getDomainXml'
  | 'getMigrationProgress'
  | 'getBackupProgress';

export interface DomainListener {
  /** `undefined`: the launcher says that there is no domain. */
  onState(domain: DomainState | undefined): void;
  onEvent(type: string, reason: string, message: string): void;
  /** The stream ended; nothing more will come. */
  onEnd(why: string): void;
}

export class LauncherConnection implements Disposable {
  readonly peer: PeerCredentials;
  readonly #socket: CheckedSocket;
  readonly #client: launcherProto.LauncherClient;
  readonly #clock: Pick<Clock, 'after' | 'elapsed'>;

  constructor(socket: CheckedSocket, clock: Pick<Clock, 'after' | 'elapsed'> = systemClock) {
    this.#socket = socket;
    this.#clock = clock;
    this.peer = socket.peer;
    this.#client = new launcherProto.LauncherClient(
      `unix:${socket.handle.procPath}`,
      // A unix socket whose other end was checked by the kernel needs no certificate.
      ChannelCredentials.createInsecure(),
      {
        'grpc.enable_channelz': 0,
        'grpc.default_authority': 'localhost',
        'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
        'grpc.use_local_subchannel_pool': 1,
        // A launcher that hangs must become unknown, also while nobody calls it.
        'grpc.keepalive_time_ms': 30_000,
        'grpc.keepalive_timeout_ms': 10_000,
      },
    );
  }

  /** Follows the domain, at a bounded rate; the returned function stops it. */
  watch(listener: DomainListener): () => void {
    const stream = this.#client.watchDomain({});
    const pace = new ListeningPace(this.#clock, stream);
    stream.on('data', (event: launcherProto.DomainEvent) => {
      pace.took(event.domain.length + event.eventMessage.length + event.eventReason.length);
      if (event.eventReason !== '') listener.onEvent(event.eventType, event.eventReason, event.eventMessage);
      try {
        listener.onState(parseDomain(event.domain));
      } catch (error) {
        if (!(error instanceof DomainMessageError)) throw error;
        stream.cancel();
        listener.onEnd(error.message);
      }
    });
    stream.on('error', (error) => listener.onEnd(error.message));
    stream.on('end', () => listener.onEnd('the launcher ended the stream'));
    return () => {
      pace.stop();
      stream.cancel();
    };
  }

  sync(vmi: VirtualMachineInstance, options: SyncOptions, signal?: AbortSignal): Promise<void> {
    const request = { vmi: json(vmi), options: json(options) };
    return betweenFailPoints('launcher-sync', () =>
      this.#call(SYNC_MS, signal, (m, o, done) => this.#client.syncVirtualMachine(request, m, o, done)),
    );
  }

  /** Makes everything ready for a guest that comes from another node. */
  prepareTarget(vmi: VirtualMachineInstance, options: SyncOptions, signal?: AbortSignal): Promise<void> {
    const request = { vmi: json(vmi), options: json(options) };
    return this.#call(SYNC_MS, signal, (m, o, done) =>
      this.#client.prepareMigrationTarget(request, m, o, done),
    );
  }

  /** Begins to move the guest away; how it goes is told by its domain's state. */
  migrate(vmi: VirtualMachineInstance, options: MigrationOptions, signal?: AbortSignal): Promise<void> {
    const request = { vmi: json(vmi), options: json(options) };
    return this.#call(SHORT_MS, signal, (m, o, done) =>
      this.#client.migrateVirtualMachine(request, m, o, done),
    );
  }

  do(verb: SimpleVerb, vmi: VirtualMachineInstance, signal?: AbortSignal): Promise<void> {
    const request = { vmi: json(vmi), options: Buffer.alloc(0) };
    const limit = verb === 'killVirtualMachine' || verb === 'deleteVirtualMachine' ? LONG_MS : SHORT_MS;
    return betweenFailPoints(`launcher-${verb.replace('VirtualMachine', '')}`, () =>
      this.#call(limit, signal, (m, o, done) => this.#client[verb](request, m, o, done)),
    );
  }

  freeze(vmi: VirtualMachineInstance, unfreezeTimeoutSeconds: number, signal?: AbortSignal): Promise<void> {
    const request = { vmi: json(vmi), unfreezeTimeoutSeconds };
    return this.#call(LONG_MS, signal, (m, o, done) =>
      this.#client.freezeVirtualMachine(request, m, o, done),
    );
  }

  /** Nobody who reads the API has given up this node: the guest need not end for its storage's silence. */
  hold(vmi: VirtualMachineInstance, options: HoldOptions, signal?: AbortSignal): Promise<void> {
    const request = { vmi: json({ metadata: vmi.metadata }), options: json(options) };
    return this.#call(SHORT_MS, signal, (m, o, done) => this.#client.holdVirtualMachine(request, m, o, done));
  }

  /** Begins or stops a backup. `options`: JSON of BackupOptions, which the launcher reads. */
  backup(vmi: VirtualMachineInstance, options: Buffer, signal?: AbortSignal): Promise<void> {
    const request = { vmi: json(vmi), options };
    return this.#call(SYNC_MS, signal, (m, o, done) =>
      this.#client.backupVirtualMachine(request, m, o, done),
    );
  }

  /** Throws CheckpointInvalidError when the checkpoint is lost. */
  async redefineCheckpoint(
    vmi: VirtualMachineInstance,
    options: Buffer,
    signal?: AbortSignal,
  ): Promise<void> {
    const request = { vmi: json(vmi), options };
    const answer = await this.#unary<launcherProto.RedefineCheckpointResponse>(
      LONG_MS,
      signal,
      (m, o, done) => this.#client.redefineCheckpoint(request, m, o, done),
    );
    if (answer.checkpointInvalid) throw new CheckpointInvalidError(reasonOf(answer.response));
    check(answer.response);
  }

  /** The JSON of the answer, as text. */
  async ask(verb: JsonVerb, signal?: AbortSignal): Promise<string> {
    const answer = await this.#unary<launcherProto.JsonResponse>(LONG_MS, signal, (m, o, done) =>
      this.#client[verb]({}, m, o, done),
    );
    check(answer.response);
    return answer.json.toString('utf8');
  }

  async screenshot(signal?: AbortSignal): Promise<{ readonly mime: string; readonly data: Buffer }> {
    const answer = await this.#unary<launcherProto.ScreenshotResponse>(LONG_MS, signal, (m, o, done) =>
      this.#client.getScreenshot({}, m, o, done),
    );
    check(answer.response);
    return { mime: answer.mime, data: answer.data };
  }

  /** When the launcher reached each step of its start, as it says: milliseconds since the epoch. */
  async stages(signal?: AbortSignal): Promise<Readonly<Record<string, number>>> {
    const { stages } = await this.#unary<launcherProto.InfoResponse>(SHORT_MS, signal, (m, o, done) =>
      this.#client.info({}, m, o, done),
    );
    return stages;
  }

  /** Opens a byte stream to `serial0`, `vnc` and the like; with `scrollback` the console's last output comes first. */
  openStream(target: string, scrollback = false): ReturnType<launcherProto.LauncherClient['openStream']> {
    const stream = this.#client.openStream();
    stream.write({ target, data: Buffer.alloc(0), scrollback });
    return stream;
  }

  async #call(
    limitMs: number,
    signal: AbortSignal | undefined,
    call: Unary<launcherProto.Response>,
  ): Promise<void> {
    check(await this.#unary(limitMs, signal, call));
  }

  #unary<T>(limitMs: number, signal: AbortSignal | undefined, call: Unary<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const running = call(new Metadata(), { deadline: Date.now() + limitMs }, (error, answer) => {
        signal?.removeEventListener('abort', cancel);
        if (error === null) resolve(answer);
        else reject(error);
      });
      const cancel = (): void => running.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  close(): void {
    this.#client.close();
    this.#socket.handle.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

type Unary<T> = (
  metadata: Metadata,
  options: Partial<CallOptions>,
  done: (error: ServiceError | null, answer: T) => void,
) => { cancel(): void };

function reasonOf(response: launcherProto.Response | undefined): string {
  return (response?.message ?? '').slice(0, MAX_REASON);
}

function check(response: launcherProto.Response | undefined): void {
  if (response?.success !== true)
    throw new LauncherCallError(reasonOf(response) || 'the launcher refused without a reason');
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
