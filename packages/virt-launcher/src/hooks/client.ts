/** The gRPC side of hooks: one short-lived connection for each call. */
import { hooksInfoProto, hooksProto } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { Client, credentials, status } from '@grpc/grpc-js';
import { LauncherError } from '../launcher-error.ts';
import type { HookCall, HookPoint, SidecarInfo } from './sidecar.ts';

/** A sidecar may have work to do. */
const CALL_TIMEOUT_MS = 60_000;
const INFO_TIMEOUT_MS = 5_000;
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** A message's codec as `ts-proto` generates it. */
interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

interface Method<Request, Reply> {
  readonly request: Codec<Request>;
  readonly reply: Codec<Reply>;
}

const define: Method<hooksProto.OnDefineDomainParams, hooksProto.OnDefineDomainResult> = {
  request: hooksProto.OnDefineDomainParams,
  reply: hooksProto.OnDefineDomainResult,
};
const cloudInit: Method<hooksProto.PreCloudInitIsoParams, hooksProto.PreCloudInitIsoResult> = {
  request: hooksProto.PreCloudInitIsoParams,
  reply: hooksProto.PreCloudInitIsoResult,
};
const shutdown: Method<hooksProto.ShutdownParams, hooksProto.ShutdownResult> = {
  request: hooksProto.ShutdownParams,
  reply: hooksProto.ShutdownResult,
};
const info: Method<hooksInfoProto.InfoParams, hooksInfoProto.InfoResult> = {
  request: hooksInfoProto.InfoParams,
  reply: hooksInfoProto.InfoResult,
};

/** Who serves this socket. */
export async function askInfo(socket: string, signal: AbortSignal): Promise<Omit<SidecarInfo, 'socket'>> {
  const answer = await unary(socket, '/kubevirt.hooks.info.Info/Info', info, {}, INFO_TIMEOUT_MS, signal);
  return { name: answer.name, versions: answer.versions, hookPoints: answer.hookPoints };
}

export function onDefineDomain(
  call: HookCall,
  params: hooksProto.OnDefineDomainParams,
  signal: AbortSignal,
): Promise<hooksProto.OnDefineDomainResult> {
  return callback(call, 'OnDefineDomain', define, params, CALL_TIMEOUT_MS, signal);
}

export function preCloudInitIso(
  call: HookCall,
  params: hooksProto.PreCloudInitIsoParams,
  signal: AbortSignal,
): Promise<hooksProto.PreCloudInitIsoResult> {
  return callback(call, 'PreCloudInitIso', cloudInit, params, CALL_TIMEOUT_MS, signal);
}

export async function tellShutdown(call: HookCall, timeoutMs: number, signal: AbortSignal): Promise<void> {
  await callback(call, 'Shutdown', shutdown, {}, timeoutMs, signal);
}

async function callback<Request, Reply>(
  { sidecar, version }: HookCall,
  point: HookPoint,
  method: Method<Request, Reply>,
  request: Request,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Reply> {
  const path = `/kubevirt.hooks.${version}.Callbacks/${point}`;
  return unary(sidecar.socket, path, method, request, timeoutMs, signal).catch((error: unknown) => {
    throw new LauncherError(`hook sidecar ${sidecar.name} failed at ${point}`, {
      detail: messageOf(error),
      cause: error,
    });
  });
}

function unary<Request, Reply>(
  socket: string,
  path: string,
  method: Method<Request, Reply>,
  request: Request,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Reply> {
  const client = new Client(`unix://${socket}`, credentials.createInsecure(), {
    'grpc.enable_channelz': 0,
    'grpc.default_authority': 'localhost',
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  });
  return new Promise<Reply>((resolve, reject) => {
    const call = client.makeUnaryRequest(
      path,
      (message: Request) => Buffer.from(method.request.encode(message).finish()),
      (bytes) => method.reply.decode(bytes),
      request,
      { deadline: Date.now() + timeoutMs },
      (error, reply) => {
        signal.removeEventListener('abort', cancel);
        if (error !== null) reject(error);
        else if (reply === undefined) reject(new Error(`no answer to ${path} (${status.INTERNAL})`));
        else resolve(reply);
      },
    );
    const cancel = (): void => call.cancel();
    signal.addEventListener('abort', cancel, { once: true });
  }).finally(() => client.close());
}
