/** A launcher to talk to in tests: the real protocol on a real socket, and a domain that tests move. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { type DomainState, launcherProto } from '@podvisor/api';
import { openDirectory } from '@podvisor/sys';

type Watcher = ServerWritableStream<launcherProto.Empty, launcherProto.DomainEvent>;

export class FakeLauncher {
  readonly calls: string[] = [];
  readonly #directory: string;
  readonly #watchers = new Set<Watcher>();
  #server: Server | undefined;
  #domain: DomainState | undefined;
  /** Somebody follows the domain. */
  onWatched: () => void = () => {};
  /** Answers of questions, by their names here; others are answered with the name. */
  readonly answers = new Map<string, unknown>();
  /** What a screenshot is said to be. */
  pictureType = 'image/png';
  /** Answer of every verb; undefined is success. */
  failure: string | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  /** Listens on `launcher-init-sock` and renames it, as launchers do. */
  async start(): Promise<void> {
    const server = new Server();
    server.addService(launcherProto.LauncherService, this.#service());
    // By handle: the path of a Pod's directory is longer than that of a socket may be.
    using directory = openDirectory(this.#directory);
    const early = `${directory.procPath}/launcher-init-sock`;
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(`unix:${early}`, ServerCredentials.createInsecure(), (error) =>
        error === null ? resolve() : reject(error),
      );
    });
    this.#server = server;
    renameSync(early, join(this.#directory, 'launcher-sock'));
  }

  /** Ends at once, as by kill -9: the socket file stays and nobody listens. */
  stop(): void {
    this.#watchers.clear();
    this.#server?.forceShutdown();
    this.#server = undefined;
  }

  removeSocket(): void {
    rmSync(join(this.#directory, 'launcher-sock'), { force: true });
  }

  setDomain(domain: DomainState | undefined): void {
    this.#domain = domain;
    for (const watcher of this.#watchers) watcher.write(this.#event());
  }

  /** Says something for the VMI's event list. */
  tell(eventType: string, eventReason: string, eventMessage: string): void {
    const event = { ...this.#event(), eventType, eventReason, eventMessage };
    for (const watcher of this.#watchers) watcher.write(event);
  }

  #event(): launcherProto.DomainEvent {
    const domain = this.#domain === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(this.#domain));
    return { domain, eventType: '', eventReason: '', eventMessage: '' };
  }

  #service(): launcherProto.LauncherServer {
    const respond = (): launcherProto.Response => ({
      success: this.failure === undefined,
      message: this.failure ?? '',
    });
    const verb =
      (name: string) =>
      (
        _call: ServerUnaryCall<unknown, launcherProto.Response>,
        done: sendUnaryData<launcherProto.Response>,
      ): void => {
        this.calls.push(name);
        done(null, respond());
      };
    const json =
      (name: string) =>
      (
        _call: ServerUnaryCall<unknown, launcherProto.JsonResponse>,
        done: sendUnaryData<launcherProto.JsonResponse>,
      ): void => {
        this.calls.push(name);
        const answer = this.answers.get(name) ?? { from: name };
        done(null, { response: respond(), json: Buffer.from(JSON.stringify(answer)) });
      };
    return {
      info: (_call, done) => done(null, { supportedVersions: [1], build: 'test', stages: {} }),
      syncVirtualMachine: verb('sync'),
      pauseVirtualMachine: verb('pause'),
      unpauseVirtualMachine: verb('unpause'),
      softRebootVirtualMachine: verb('soft-reboot'),
      resetVirtualMachine: verb('reset'),
      freezeVirtualMachine: (call, done) => {
        this.calls.push(`freeze ${call.request.unfreezeTimeoutSeconds}`);
        done(null, respond());
      },
      unfreezeVirtualMachine: verb('unfreeze'),
      shutdownVirtualMachine: verb('shutdown'),
      killVirtualMachine: verb('kill'),
      deleteVirtualMachine: verb('delete'),
      holdVirtualMachine: verb('hold'),
      backupVirtualMachine: verb('backup'),
      redefineCheckpoint: (_call, done) => done(null, { response: respond(), checkpointInvalid: false }),
      getDomain: (_call, done) => done(null, { response: respond(), domain: this.#event().domain }),
      getDomainStats: json('stats'),
      getUsageHistory: json('usage-history'),
      getDomainXml: json('domain-xml'),
      getGuestInfo: json('guest-info'),
      getUsers: json('users'),
      getFilesystems: json('filesystems'),
      guestPing: verb('ping'),
      exec: (_call, done) => done(null, { response: respond(), exitCode: 0, stdout: Buffer.alloc(0) }),
      getScreenshot: (_call, done) =>
        done(null, { response: respond(), mime: this.pictureType, data: Buffer.from('png') }),
      watchDomain: (stream) => {
        this.#watchers.add(stream);
        stream.on('cancelled', () => this.#watchers.delete(stream));
        stream.write(this.#event());
        this.onWatched();
      },
      openStream: (stream) => {
        let target = '';
        stream.on('data', (chunk: launcherProto.StreamChunk) => {
          if (chunk.target === '')
            stream.write({
              target: '',
              data: Buffer.from(`${target}:${chunk.data.toString()}`),
              scrollback: false,
            });
          else target = chunk.target;
        });
        stream.on('end', () => stream.end());
      },
      prepareMigrationTarget: verb('prepare-target'),
      migrateVirtualMachine: verb('migrate'),
      cancelVirtualMachineMigration: verb('cancel-migration'),
      finalizeVirtualMachineMigration: verb('finalize-migration'),
      signalTargetPodCleanup: verb('cleanup-target'),
      getMigrationProgress: json('progress'),
      getBackupProgress: json('progress'),
    };
  }
}
