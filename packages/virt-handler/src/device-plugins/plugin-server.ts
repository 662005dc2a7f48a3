/** Serves one resource over the kubelet's device plugin protocol; registering it is the registrar's work. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  Server,
  ServerCredentials,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { devicePluginProto } from '@podvisor/api';
import { type Clock, messageOf } from '@podvisor/base';
import type { Offer } from './offer.ts';

/** How long the kubelet has to hear that a resource has no devices any more. */
const WITHDRAW_MS = 1_000;

type ListStream = ServerWritableStream<devicePluginProto.Empty, devicePluginProto.ListAndWatchResponse>;

export class PluginServer {
  readonly resource: Offer;
  readonly socketPath: string;
  readonly #streams = new Set<ListStream>();
  #server: Server | undefined;
  #following: Disposable | undefined;

  constructor(resource: Offer, pluginDir: string) {
    this.resource = resource;
    this.socketPath = join(pluginDir, resource.socketName);
  }

  /** Listens; also again after the kubelet has emptied its directory. */
  async start(): Promise<void> {
    this.stop();
    rmSync(this.socketPath, { force: true });
    // With channelz off, grpc-js forgets its sessions and forceShutdown would leave them open.
    const server = new Server();
    server.addService(devicePluginProto.DevicePluginService, this.#service());
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(`unix:${this.socketPath}`, ServerCredentials.createInsecure(), (error) =>
        error === null ? resolve() : reject(error),
      );
    });
    this.#server = server;
    this.#following = this.resource.follow(() => this.#tell([...this.resource.devices()]));
  }

  stop(): void {
    this.#unfollow();
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
    this.#server?.forceShutdown();
    this.#server = undefined;
  }

  /** Tells the kubelet that there are no devices, so that the node's capacity goes at once, and ends. */
  async withdraw(clock: Clock): Promise<void> {
    this.#unfollow();
    this.#tell([]);
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(WITHDRAW_MS, () => {
        server.forceShutdown();
        resolve();
      });
      server.tryShutdown(() => {
        cancel();
        resolve();
      });
    });
  }

  #unfollow(): void {
    this.#following?.[Symbol.dispose]();
    this.#following = undefined;
  }

  #tell(devices: devicePluginProto.Device[]): void {
    for (const stream of this.#streams) stream.write({ devices });
  }

  #service(): devicePluginProto.DevicePluginServer {
    return {
      getDevicePluginOptions: (_call, done) => done(null, options()),
      listAndWatch: (stream) => {
        this.#streams.add(stream);
        stream.on('cancelled', () => this.#streams.delete(stream));
        stream.write({ devices: [...this.resource.devices()] });
      },
      allocate: (call, done) => {
        try {
          const containerResponses = call.request.containerRequests.map(({ devicesIds }) =>
            this.resource.allocate(devicesIds),
          );
          done(null, { containerResponses });
        } catch (error) {
          done({ code: status.NOT_FOUND, message: messageOf(error) });
        }
      },
      preStartContainer: (_call: unknown, done: sendUnaryData<devicePluginProto.PreStartContainerResponse>) =>
        done(null, {}),
      getPreferredAllocation: (_call, done) => done(null, { containerResponses: [] }),
    };
  }
}

export function options(): devicePluginProto.DevicePluginOptions {
  return { preStartRequired: false, getPreferredAllocationAvailable: false };
}
