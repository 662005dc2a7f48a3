/** A hook sidecar for tests: a real gRPC server on a real socket, in any version of the protocol. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hooksInfoProto, hooksProto } from '@podvisor/api';
import {
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import type { Codec } from '../grpc/server.ts';

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
  server.addService(serviceOf(hooksInfoProto.InfoDefinition), {
    info: (
      _call: ServerUnaryCall<hooksInfoProto.InfoParams, hooksInfoProto.InfoResult>,
      reply: sendUnaryData<hooksInfoProto.InfoResult>,
    ) =>
      reply(null, {
        name: container,
        versions: [version],
        hookPoints: [
          ...(sidecar.onDefineDomain === undefined ? [] : [{ name: 'OnDefineDomain', priority }]),
          ...(sidecar.preCloudInitIso === undefined ? [] : [{ name: 'PreCloudInitIso', priority }]),
          ...(sidecar.shutdown === undefined ? [] : [{ name: 'Shutdown', priority }]),
        ],
      }),
  });
  server.addService(serviceOf(hooksProto.CallbacksDefinition, version), {
    onDefineDomain: (
      { request }: ServerUnaryCall<hooksProto.OnDefineDomainParams, hooksProto.OnDefineDomainResult>,
      reply: sendUnaryData<hooksProto.OnDefineDomainResult>,
    ) =>
      reply(null, {
        domainXml: Buffer.from(
          sidecar.onDefineDomain?.(request.domainXml.toString(), JSON.parse(request.vmi.toString())) ?? '',
        ),
      }),
    preCloudInitIso: (
      { request }: ServerUnaryCall<hooksProto.PreCloudInitIsoParams, hooksProto.PreCloudInitIsoResult>,
      reply: sendUnaryData<hooksProto.PreCloudInitIsoResult>,
    ) => {
      const data = JSON.parse(request.cloudInitData.toString()) as Record<string, unknown>;
      const edited = sidecar.preCloudInitIso?.(data) ?? data;
      reply(null, {
        cloudInitNoCloudSource: Buffer.alloc(0),
        cloudInitData: Buffer.from(JSON.stringify(edited)),
      });
    },
    shutdown: (
      _call: ServerUnaryCall<hooksProto.ShutdownParams, hooksProto.ShutdownResult>,
      reply: sendUnaryData<hooksProto.ShutdownResult>,
    ) => {
      sidecar.shutdown?.();
      reply(null, {});
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  chmodSync(socket, 0o777);
  return { [Symbol.dispose]: () => server.forceShutdown() };
}

interface Definition {
  readonly fullName: string;
  readonly methods: Readonly<
    Record<string, { readonly name: string; requestType: unknown; responseType: unknown }>
  >;
}

/** What grpc-js needs to know; the versions differ in the name of their package. */
function serviceOf({ fullName, methods }: Definition, version = 'v1alpha3'): ServiceDefinition {
  const service = fullName.replace('v1alpha3', version);
  return Object.fromEntries(
    Object.entries(methods).map(([key, { name, requestType, responseType }]) => {
      const [request, response] = [requestType, responseType] as [Codec<unknown>, Codec<unknown>];
      return [
        key,
        {
          path: `/${service}/${name}`,
          requestStream: false,
          responseStream: false,
          requestSerialize: (value: unknown) => Buffer.from(request.encode(value).finish()),
          requestDeserialize: (bytes: Buffer) => request.decode(bytes),
          responseSerialize: (value: unknown) => Buffer.from(response.encode(value).finish()),
          responseDeserialize: (bytes: Buffer) => response.decode(bytes),
        },
      ];
    }),
  );
}
