/**
 * One device as an extended resource, over the kubelet's device plugin protocol. The device itself is
 * shared: the resource has many fake units, each of which gives a container the same node.
 */
import { existsSync, type FSWatcher, rmSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Server, ServerCredentials, type ServerWritableStream, type sendUnaryData } from '@grpc/grpc-js';
import { devicePluginProto } from '@podvisor/api';

export interface DeviceResource {
  /** e.g. `devices.kubevirt.io/tun`. */
  readonly name: string;
  /** Path of the device on the node. */
  readonly path: string;
  readonly count: number;
  /** Directory of the node that comes with the device, read-only; whoever asks for two devices gets it once. */
  readonly mount?: { readonly hostPath: string; readonly containerPath: string };
}

type ListStream = ServerWritableStream<devicePluginProto.Empty, devicePluginProto.ListAndWatchResponse>;

/** Serves one resource on its own socket; registering it is the registrar's work. */
export class PluginServer {
  readonly resource: DeviceResource;
  readonly socketPath: string;
  readonly #streams = new Set<ListStream>();
  #server: Server | undefined;
  #watcher: FSWatcher | undefined;
  #healthy = false;

  constructor(resource: DeviceResource, pluginDir: string) {
    this.resource = resource;
    this.socketPath = join(pluginDir, `kubevirt-${basename(resource.path)}.sock`);
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
    this.#healthy = existsSync(this.resource.path);
    this.#watcher = watch(dirname(this.resource.path), { persistent: false }, () => this.#checkHealth());
  }

  stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
    this.#server?.forceShutdown();
    this.#server = undefined;
  }

  #checkHealth(): void {
    const healthy = existsSync(this.resource.path);
    if (healthy === this.#healthy) return;
    this.#healthy = healthy;
    for (const stream of this.#streams) stream.write({ devices: this.#devices() });
  }

  #devices(): devicePluginProto.Device[] {
    const health = this.#healthy ? 'Healthy' : 'Unhealthy';
    const prefix = basename(this.resource.path);
    return Array.from({ length: this.resource.count }, (_, i) => ({
      ID: `${prefix}${i}`,
      health,
      topology: undefined,
    }));
  }

  #service(): devicePluginProto.DevicePluginServer {
    return {
      getDevicePluginOptions: (_call, done) => done(null, options()),
      listAndWatch: (stream) => {
        this.#streams.add(stream);
        stream.on('cancelled', () => this.#streams.delete(stream));
        stream.write({ devices: this.#devices() });
      },
      allocate: (call, done) => done(null, this.#allocate(call.request)),
      preStartContainer: (_call: unknown, done: sendUnaryData<devicePluginProto.PreStartContainerResponse>) =>
        done(null, {}),
      getPreferredAllocation: (_call, done) => done(null, { containerResponses: [] }),
    };
  }

  #allocate(request: devicePluginProto.AllocateRequest): devicePluginProto.AllocateResponse {
    const { path, mount } = this.resource;
    const device = { containerPath: path, hostPath: path, permissions: 'rw' };
    return {
      containerResponses: request.containerRequests.map(() => ({
        envs: {},
        mounts: mount === undefined ? [] : [{ ...mount, readOnly: true }],
        devices: [device],
        annotations: {},
        cdiDevices: [],
      })),
    };
  }
}

export function options(): devicePluginProto.DevicePluginOptions {
  return { preStartRequired: false, getPreferredAllocationAvailable: false };
}
