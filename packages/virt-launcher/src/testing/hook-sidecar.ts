/** A hook sidecar for tests: a real gRPC server on a real socket, in any version of the protocol. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hooksInfoProto, hooksProto } from '@podvisor/api';
import { Server, ServerCredentials, type UntypedHandleCall } from '@grpc/grpc-js';

export interface TestSidecar {
  readonly container: string;
  readonly version: string;
  readonly priority?: number;
  readonly onDefineDomain?: (xml: string, vmi: unknown) => string;
  readonly preCloudInitIso?: (data: Record<string, unknown>) => Record<string, unknown>;
  readonly shutdown?: () => void;
}

/** Serves below `hooksDirectory` until disposed. */
export async function startSidecar(hooksDirectory: string, sidecar: TestSidecar): Promise<Disposable> {
  const { container, version, priority = 0 } = sidecar;
  const directory = join(hooksDirectory, container);
  mkdirSync(directory, { recursive: true });
  const socket = join(directory, 'hook.sock');
  const server = new Server();
  const info: hooksInfoProto.InfoServer = {
    info: (_call, reply) =>
      reply(null, {
        name: container,
        versions: [version],
        hookPoints: [
          ...(sidecar.onDefineDomain === undefined ? [] : [{ name: 'OnDefineDomain', priority }]),
          ...(sidecar.preCloudInitIso === undefined ? [] : [{ name: 'PreCloudInitIso', priority }]),
          ...(sidecar.shutdown === undefined ? [] : [{ name: 'Shutdown', priority }]),
        ],
      }),
  };
  server.addService(hooksInfoProto.InfoService, info);
  const callbacks: hooksProto.CallbacksServer = {
    onDefineDomain: ({ request }, reply) =>
      reply(null, {
        domainXml: Buffer.from(
          sidecar.onDefineDomain?.(request.domainXml.toString(), JSON.parse(request.vmi.toString())) ?? '',
        ),
      }),
    preCloudInitIso: ({ request }, reply) => {
      const data = JSON.parse(request.cloudInitData.toString()) as Record<string, unknown>;
      const edited = sidecar.preCloudInitIso?.(data) ?? data;
      reply(null, {
        cloudInitNoCloudSource: Buffer.alloc(0),
        cloudInitData: Buffer.from(JSON.stringify(edited)),
      });
    },
    shutdown: (_call, reply) => {
      sidecar.shutdown?.();
      reply(null, {});
    },
  };
  server.addService(ofVersion(version), callbacks satisfies Record<string, UntypedHandleCall>);
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  chmodSync(socket, 0o777);
  return { [Symbol.dispose]: () => server.forceShutdown() };
}

/** The versions differ in the name of their package. */
function ofVersion(version: string): typeof hooksProto.CallbacksService {
  const methods = Object.entries(hooksProto.CallbacksService).map(([name, method]) => [
    name,
    { ...method, path: method.path.replace('v1alpha3', version) },
  ]);
  return Object.fromEntries(methods) as typeof hooksProto.CallbacksService;
}
