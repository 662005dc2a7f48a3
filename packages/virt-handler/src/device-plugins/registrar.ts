/** Makes our resources known to the kubelet, again whenever its socket is made anew. */
import { type FSWatcher, mkdirSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { ChannelCredentials, Metadata } from '@grpc/grpc-js';
import { devicePluginProto } from '@podvisor/api';
import { backoffMs, type Clock, messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { options, type PluginServer } from './plugin-server.ts';

const API_VERSION = 'v1beta1';
const REGISTER_TIMEOUT_MS = 5_000;
const BACKOFF = { firstMs: 250, maxMs: 10_000 };

export interface RegistrarOptions {
  /** The kubelet's `device-plugins` directory. */
  readonly pluginDir: string;
  readonly servers: readonly PluginServer[];
  readonly clock: Clock;
  readonly log: Log;
}

export class Registrar implements Disposable {
  readonly #options: RegistrarOptions;
  readonly #socket: string;
  readonly #first = Promise.withResolvers<void>();
  #watcher: FSWatcher | undefined;
  #registeredWith: string | undefined;
  #failures = 0;
  #busy = false;
  #closed = false;
  #cancelRetry: () => void = () => {};

  constructor(options: RegistrarOptions) {
    this.#options = options;
    this.#socket = join(options.pluginDir, 'kubelet.sock');
    mkdirSync(options.pluginDir, { recursive: true });
    this.#watcher = watch(options.pluginDir, { persistent: false }, (_event, file) => {
      if (file === basename(this.#socket)) void this.#register();
    });
    void this.#register();
  }

  /** Resolves when every resource was registered once. */
  registered(): Promise<void> {
    return this.#first.promise;
  }

  async #register(): Promise<void> {
    if (this.#closed || this.#busy) return;
    // The same socket, by identity: nothing to do. Another one: the kubelet started anew and forgot us.
    const identity = identityOf(this.#socket);
    if (identity === undefined || identity === this.#registeredWith) return;
    this.#busy = true;
    this.#cancelRetry();
    try {
      for (const server of this.#options.servers) {
        await server.start();
        if (this.#closed) return server.stop();
        await announce(this.#socket, server);
      }
      this.#registeredWith = identity;
      this.#failures = 0;
      this.#options.log.info(
        { resources: this.#options.servers.map((s) => s.resource.name) },
        'device plugins registered',
      );
      this.#first.resolve();
    } catch (error) {
      if (this.#closed) return;
      this.#failures += 1;
      this.#options.log.warn(
        { error: messageOf(error) },
        'device plugins could not be registered, trying again',
      );
      this.#cancelRetry = this.#options.clock.after(
        backoffMs(this.#failures, BACKOFF),
        () => void this.#register(),
      );
    } finally {
      this.#busy = false;
    }
    // The kubelet may have started again while we were at it.
    if (this.#registeredWith === identity) void this.#register();
  }

  /** Takes the resources from the kubelet, and ends. */
  async withdraw(): Promise<void> {
    this.#close();
    await Promise.all(this.#options.servers.map((server) => server.withdraw(this.#options.clock)));
  }

  [Symbol.dispose](): void {
    this.#close();
    for (const server of this.#options.servers) server.stop();
  }

  #close(): void {
    this.#closed = true;
    this.#cancelRetry();
    this.#watcher?.close();
  }
}

/** Undefined: there is none, or none any more. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.ino}:${stats.ctimeMs}`;
}

function announce(kubeletSocket: string, server: PluginServer): Promise<void> {
  const client = new devicePluginProto.RegistrationClient(
    `unix:${kubeletSocket}`,
    ChannelCredentials.createInsecure(),
    {
      'grpc.enable_channelz': 0,
      'grpc.default_authority': 'localhost',
      'grpc.use_local_subchannel_pool': 1,
    },
  );
  const request = {
    version: API_VERSION,
    endpoint: basename(server.socketPath),
    resourceName: server.resource.name,
    options: options(),
  };
  const deadline = Date.now() + REGISTER_TIMEOUT_MS;
  return new Promise<void>((resolve, reject) => {
    client.register(request, new Metadata(), { deadline }, (error) =>
      error === null ? resolve() : reject(error),
    );
  }).finally(() => client.close());
}
