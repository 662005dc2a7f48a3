/** The gRPC server on the Pod's launcher socket. */
import { chmod, rename, rm } from 'node:fs/promises';
import { launcherProto } from '@podvisor/api';
import { Server, ServerCredentials } from '@grpc/grpc-js';

/** A VMI is at most what the API server stores (1.5 MiB), some room included. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const GOODBYE_MS = 50;

export class CommandServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on `socketPath`. Nothing else may connect than the user of the Pod and root. */
  static async listen(socketPath: string, handlers: launcherProto.LauncherServer): Promise<CommandServer> {
    const server = new Server({
      'grpc.enable_channelz': 0,
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      'grpc.max_send_message_length': -1,
    });
    server.addService(launcherProto.LauncherService, handlers);
    await rm(socketPath, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(`unix://${socketPath}`, ServerCredentials.createInsecure(), (error) =>
        error === null ? resolve() : reject(error),
      );
    });
    await chmod(socketPath, 0o600);
    return new CommandServer(server);
  }

  /** Calls that are under way get a moment to be answered. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#server.forceShutdown();
        resolve();
      }, GOODBYE_MS);
      this.#server.tryShutdown(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** The rename tells virt-handler that commands are taken from now on. */
export async function announceReady(initSocket: string, socket: string): Promise<void> {
  await rename(initSocket, socket);
}
