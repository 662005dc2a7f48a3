/** The socket where device plugins register. It is made anew at each start: plugins watch for that. */
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type sendUnaryData, Server, ServerCredentials, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { devicePluginProto } from '@podvisor/api';

const VERSION = 'v1beta1';

export interface Registration {
  readonly resource: string;
  readonly socket: string;
  readonly options: devicePluginProto.DevicePluginOptions | undefined;
}

/** Serves registrations until closed. */
export async function serveRegistrations(
  directory: string,
  onRegister: (registration: Registration) => void,
): Promise<{ close(): void }> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const socket = join(directory, 'kubelet.sock');
  rmSync(socket, { force: true });
  const server = new Server({ 'grpc.enable_channelz': 0 });
  server.addService(devicePluginProto.RegistrationService, {
    register: (
      call: ServerUnaryCall<devicePluginProto.RegisterRequest, devicePluginProto.Empty>,
      answer: sendUnaryData<devicePluginProto.Empty>,
    ) => {
      const problem = problemOf(call.request);
      if (problem !== undefined) {
        answer({ code: status.INVALID_ARGUMENT, message: problem });
        return;
      }
      const { resourceName, endpoint, options } = call.request;
      answer(null, {});
      onRegister({ resource: resourceName, socket: join(directory, endpoint), options });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return { close: () => server.forceShutdown() };
}

function problemOf(request: devicePluginProto.RegisterRequest): string | undefined {
  if (request.version !== VERSION) return `this kubelet speaks ${VERSION}, not ${request.version}`;
  if (request.endpoint === '' || request.endpoint.includes('/'))
    return `"${request.endpoint}" is not a socket's name`;
  if (!/^[a-z0-9.-]+\/[A-Za-z0-9._-]+$/.test(request.resourceName)) {
    return `"${request.resourceName}" is not the name of an extended resource`;
  }
  return undefined;
}
