/** A device plugin that offers `/dev/null` under another name, for tests. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  credentials,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import { devicePluginProto } from '@podvisor/api';

type Proto = typeof devicePluginProto;
type Message<K extends 'AllocateRequest' | 'AllocateResponse' | 'Empty' | 'ListAndWatchResponse'> =
  ReturnType<Proto[K]['create']>;

export class TestDevicePlugin {
  readonly #server = new Server();
  readonly #directory: string;
  readonly #resource: string;

  constructor(directory: string, resource: string) {
    this.#directory = directory;
    this.#resource = resource;
  }

  async start(count: number): Promise<void> {
    const devices = Array.from({ length: count }, (_, i) => ({
      ID: `dev${i}`,
      health: 'Healthy',
      topology: undefined,
    }));
    this.#server.addService(devicePluginProto.DevicePluginService, {
      listAndWatch: (call: ServerWritableStream<Message<'Empty'>, Message<'ListAndWatchResponse'>>) =>
        call.write({ devices }),
      allocate: (
        call: ServerUnaryCall<Message<'AllocateRequest'>, Message<'AllocateResponse'>>,
        answer: sendUnaryData<Message<'AllocateResponse'>>,
      ) => {
        const containerResponses = call.request.containerRequests.map((request) => ({
          envs: { TEST_DEVICES: request.devicesIds.join(',') },
          mounts: [],
          devices: [{ containerPath: '/dev/granted', hostPath: '/dev/null', permissions: 'rw' }],
          annotations: {},
          cdiDevices: [],
        }));
        answer(null, { containerResponses });
      },
      getDevicePluginOptions: (_: unknown, answer: sendUnaryData<object>) => answer(null, {}),
      getPreferredAllocation: (_: unknown, answer: sendUnaryData<object>) => answer(null, {}),
      preStartContainer: (_: unknown, answer: sendUnaryData<object>) => answer(null, {}),
    });
    const socket = join(this.#directory, 'test-plugin.sock');
    rmSync(socket, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (e) =>
        e === null ? resolve() : reject(e),
      );
    });
    await this.register();
  }

  /** Tells the kubelet of us; plugins do it again when `kubelet.sock` is made anew. */
  async register(): Promise<void> {
    const client = new devicePluginProto.RegistrationClient(
      `unix:${join(this.#directory, 'kubelet.sock')}`,
      credentials.createInsecure(),
      { 'grpc.default_authority': 'localhost' },
    );
    const request = {
      version: 'v1beta1',
      endpoint: 'test-plugin.sock',
      resourceName: this.#resource,
      options: undefined,
    };
    await new Promise<void>((resolve, reject) => {
      client.register(request, (error) => (error === null ? resolve() : reject(error)));
    });
    client.close();
  }

  stop(): void {
    this.#server.forceShutdown();
  }
}
