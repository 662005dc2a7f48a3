/** One registered device plugin: the stream of its devices, and the calls that we make to it. */
import { type ClientReadableStream, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { devicePluginProto } from '@podvisor/api';

type Client = devicePluginProto.DevicePluginClient;
type Device = devicePluginProto.Device;

export interface PluginEvents {
  /** The full list of devices, on every change. */
  onDevices(devices: readonly Device[]): void;
  /** The plugin went away. */
  onGone(reason: string): void;
}

const CALL_TIMEOUT_MS = 30_000;

export class DevicePlugin {
  readonly #client: Client;
  readonly #options: devicePluginProto.DevicePluginOptions | undefined;
  readonly #stream: ClientReadableStream<devicePluginProto.ListAndWatchResponse>;
  #closed = false;

  constructor(
    socket: string,
    options: devicePluginProto.DevicePluginOptions | undefined,
    events: PluginEvents,
  ) {
    this.#options = options;
    this.#client = new devicePluginProto.DevicePluginClient(`unix:${socket}`, credentials.createInsecure(), {
      'grpc.enable_channelz': 0,
      'grpc.default_authority': 'localhost',
    });
    this.#stream = this.#client.listAndWatch({});
    this.#stream.on('data', (list: devicePluginProto.ListAndWatchResponse) => events.onDevices(list.devices));
    const gone = (reason: string): void => {
      if (this.#closed) return;
      this.close();
      events.onGone(reason);
    };
    this.#stream.on('error', (error: Error) => gone(error.message));
    this.#stream.on('end', () => gone('the plugin ended its stream'));
  }

  /** The plugin's choice among `available`, or the first ones when it has no opinion. */
  async choose(available: readonly string[], count: number): Promise<readonly string[]> {
    if (this.#options?.getPreferredAllocationAvailable !== true) return available.slice(0, count);
    const request = { availableDeviceIDs: [...available], mustIncludeDeviceIDs: [], allocationSize: count };
    const answer = await this.#call<devicePluginProto.PreferredAllocationResponse>((done) =>
      this.#client.getPreferredAllocation({ containerRequests: [request] }, new Metadata(), deadline(), done),
    );
    const chosen = answer.containerResponses[0]?.deviceIDs ?? [];
    return chosen.length === count && chosen.every((id) => available.includes(id))
      ? chosen
      : available.slice(0, count);
  }

  async allocate(ids: readonly string[]): Promise<devicePluginProto.ContainerAllocateResponse> {
    const answer = await this.#call<devicePluginProto.AllocateResponse>((done) =>
      this.#client.allocate(
        { containerRequests: [{ devicesIds: [...ids] }] },
        new Metadata(),
        deadline(),
        done,
      ),
    );
    const [first] = answer.containerResponses;
    if (first === undefined) throw new Error('the plugin answered Allocate with nothing');
    return first;
  }

  /** Called before every start of a container, for plugins that asked for it. */
  async preStart(ids: readonly string[]): Promise<void> {
    if (this.#options?.preStartRequired !== true) return;
    await this.#call((done) =>
      this.#client.preStartContainer({ devicesIds: [...ids] }, new Metadata(), deadline(), done),
    );
  }

  close(): void {
    this.#closed = true;
    this.#stream.cancel();
    this.#client.close();
  }

  #call<T>(send: (done: (error: ServiceError | null, answer: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      send((error, answer) => (error === null ? resolve(answer) : reject(error)));
    });
  }
}

function deadline(): { readonly deadline: number } {
  return { deadline: Date.now() + CALL_TIMEOUT_MS };
}
