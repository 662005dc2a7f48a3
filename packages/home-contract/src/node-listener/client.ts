/** The control plane's end of the node agent's socket: one connection a call. */
import { connect, type Socket } from 'node:net';
import { messageOf, StatusError } from '@podvisor/base';
import type { Call } from './call.ts';
import { type Frame, Kind, readFrames, sendJson } from './frames.ts';

export interface OpenCall {
  readonly socket: Socket;
  /** Frames up to RESULT, whose value it returns; throws what a FAILURE says. */
  frames(): AsyncGenerator<Frame, unknown, undefined>;
}

/** Sends the call. The signal ends it, and whatever it does at the far end. */
export async function openCall(path: string, call: Call, signal: AbortSignal | undefined): Promise<OpenCall> {
  signal?.throwIfAborted();
  const socket = connect({ path, allowHalfOpen: true });
  const end = (): void => void socket.destroy();
  signal?.addEventListener('abort', end, { once: true });
  socket.once('close', () => signal?.removeEventListener('abort', end));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (error) => reject(away(error)));
    socket.once('close', () => reject(away(undefined)));
  });
  // Whoever reads the frames hears of it there.
  socket.on('error', () => undefined);
  await sendJson(socket, Kind.call, call);
  return { socket, frames: () => framesOf(socket, signal) };
}

async function* framesOf(
  socket: Socket,
  signal: AbortSignal | undefined,
): AsyncGenerator<Frame, unknown, undefined> {
  try {
    for await (const frame of readFrames(socket)) {
      if (frame.kind === Kind.failure) throw failureOf(JSON.parse(frame.bytes.toString('utf8')));
      if (frame.kind === Kind.result) return JSON.parse(frame.bytes.toString('utf8')) as unknown;
      yield frame;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw isBroken(error) ? away(error) : error;
  } finally {
    socket.destroy();
  }
  signal?.throwIfAborted();
  throw away(undefined);
}

/** The call as a whole: progress is told, its result returned. */
export async function callThrough(
  path: string,
  call: Call,
  signal: AbortSignal | undefined,
  onProgress?: (progress: unknown) => void,
): Promise<unknown> {
  const frames = (await openCall(path, call, signal)).frames();
  for (;;) {
    const { done, value } = await frames.next();
    if (done === true) return value;
    if (value.kind === Kind.progress) onProgress?.(JSON.parse(value.bytes.toString('utf8')));
  }
}

function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && !(error instanceof StatusError);
}

function away(error: unknown): StatusError {
  const why = error === undefined ? '' : `: ${messageOf(error)}`;
  return new StatusError('ServiceUnavailable', `the node agent does not answer${why}`, { cause: error });
}

/** A Status body becomes a StatusError again; anything else is what it says. */
function failureOf(value: unknown): Error {
  if (typeof value === 'object' && value !== null) {
    if ('kind' in value && value.kind === 'Status') return StatusError.fromBody(value, 500);
    if ('message' in value && typeof value.message === 'string') return new Error(value.message);
  }
  return new Error('the node agent failed without a reason');
}
