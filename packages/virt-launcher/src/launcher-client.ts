/** Calls to the launcher from other programs of its Pod (virt-probe, virt-freezer), without a gRPC library. */
import { launcherPaths } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { callUnary } from './grpc/client.ts';
import type { Codec } from './grpc/server.ts';

const SERVICE = '/podvisor.launcher.v1.Launcher';

/** One method of the launcher. */
export interface LauncherMethod<Request, Reply> {
  readonly name: string;
  readonly request: Codec<Request>;
  readonly reply: Codec<Reply>;
}

/** Throws an error for people when the launcher does not answer in time. */
export async function callLauncher<Request, Reply>(
  { name, request, reply }: LauncherMethod<Request, Reply>,
  message: Request,
  { socket = launcherPaths().socket, timeoutMs }: { readonly socket?: string; readonly timeoutMs: number },
): Promise<Reply> {
  const call = { socket, path: `${SERVICE}/${name}`, request, reply, timeoutMs };
  try {
    return await callUnary(call, message, new AbortController().signal);
  } catch (error) {
    throw new Error(`the launcher did not answer: ${messageOf(error)}`, { cause: error });
  }
}
