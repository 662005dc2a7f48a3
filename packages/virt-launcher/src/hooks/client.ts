/** The gRPC side of hooks: one short-lived connection for each call. */
import { hooksInfoProto, hooksProto } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { callUnary } from '../grpc/client.ts';
import type { Codec } from '../grpc/server.ts';
import { LauncherError } from '../launcher-error.ts';
import type { HookCall, HookPoint, SidecarInfo } from './sidecar.ts';

/** A sidecar may have work to do. */
const CALL_TIMEOUT_MS = 60_000;
const INFO_TIMEOUT_MS = 5_000;

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
  const call = { socket, path: '/kubevirt.hooks.info.Info/Info', timeoutMs: INFO_TIMEOUT_MS, ...info };
  const answer = await callUnary(call, {}, signal);
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
  const call = { socket: sidecar.socket, path, timeoutMs, ...method };
  return callUnary(call, request, signal).catch((error: unknown) => {
    throw new LauncherError(`hook sidecar ${sidecar.name} failed at ${point}`, {
      detail: messageOf(error),
      cause: error,
    });
  });
}
