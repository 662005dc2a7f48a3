/** The gRPC server on the Pod's launcher socket. */
import { chmod, rename, rm } from 'node:fs/promises';
import { type CallHandler, GrpcServer } from '../grpc/server.ts';

const GOODBYE_MS = 50;

export class CommandServer {
  readonly #server: GrpcServer;

  private constructor(server: GrpcServer) {
    this.#server = server;
  }

  /** Listens on `socketPath`. Nothing else may connect than the user of the Pod and root. */
  static async listen(
    socketPath: string,
    handlers: ReadonlyMap<string, CallHandler>,
  ): Promise<CommandServer> {
    await rm(socketPath, { force: true });
    const server = new GrpcServer(handlers);
    await server.listen(socketPath);
    await chmod(socketPath, 0o600);
    return new CommandServer(server);
  }

  /** Calls that are under way get a moment to be answered. */
  close(): Promise<void> {
    return this.#server.close(GOODBYE_MS);
  }
}

/** The rename tells virt-handler that commands are taken from now on. */
export async function announceReady(initSocket: string, socket: string): Promise<void> {
  await rename(initSocket, socket);
}
