/**
 * The end of an upload: a listener on the Pod's own loopback, which only the upload proxy reaches, through
 * the node (decision 008). One upload at a time; one that breaks may be tried again.
 *
 * A client that names its content (`UPLOAD_VERSION`) may go on where it was broken off: HEAD answers with the offset
 * up to which that content is kept, and POST says at which offset its body begins (`UPLOAD_OFFSET`, absent: 0). What is
 * known already is passed over. Clients that name nothing, as virtctl, begin at the beginning.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { UPLOAD_OFFSET, UPLOAD_VERSION } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { ByteSource } from './source.ts';

/** How long a client that is refused may go on. */
const PATIENCE_MS = 30_000;

export interface UploadOptions {
  readonly port: number;
  /** Takes the bytes; rejects when they are no good. Called for one upload at a time. */
  receive(source: ByteSource, received: () => void): Promise<void>;
  /** How many bytes are kept of the content that is named so. */
  keptBytes(version: string): number;
}

/** Names are short, so that a note stays one. */
const VERSION = /^[\w.:-]{1,128}$/;

/** The body begins later than what is kept ends. */
class GapError extends Error {}

/** Resolves when an upload was taken; rejects when one was complete and no good. */
export async function awaitUpload(options: UploadOptions, signal: AbortSignal): Promise<void> {
  const { port, receive, keptBytes } = options;
  let busy = false;
  const done = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://upload');
    const isAsync = pathname.endsWith('/upload-async');
    if (!isAsync && !pathname.endsWith('/upload')) return answer(response, 404, 'not found');
    const version = versionOf(request);
    if (request.method === 'HEAD') {
      if (version !== undefined) response.setHeader(UPLOAD_OFFSET, keptBytes(version));
      return answer(response, 200, '');
    }
    if (request.method !== 'POST' && request.method !== 'PUT') return answer(response, 405, 'use POST');
    if (busy) return answer(response, 503, 'another upload is under way');
    busy = true;
    take(request, response, isAsync).then(
      (taken) => {
        busy = false;
        if (taken) done.resolve();
      },
      (error: unknown) => done.reject(error),
    );
  });
  // A large image takes its time.
  server.requestTimeout = 0;

  /** False when the client went away before all bytes were here. */
  async function take(
    request: IncomingMessage,
    response: ServerResponse,
    isAsync: boolean,
  ): Promise<boolean> {
    const left = new AbortController();
    request.once('error', () => left.abort());
    response.once('close', () => left.abort());
    try {
      await receive(sourceOf(request), () => {
        if (isAsync) answer(response, 200, '');
      });
      if (!isAsync) answer(response, 200, '');
      return true;
    } catch (error) {
      if (left.signal.aborted && !response.headersSent) return false;
      if (error instanceof GapError) {
        await refuse(request, response, 409, error.message);
        return false;
      }
      if (!response.headersSent) await refuse(request, response, 400, messageOf(error));
      throw error;
    }
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening', { signal });
  const stop = (): void => done.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await done.promise;
  } finally {
    signal.removeEventListener('abort', stop);
    server.close();
  }
}

function sourceOf(request: IncomingMessage): ByteSource {
  const length = request.headers['content-length'];
  const begins = Number(request.headers[UPLOAD_OFFSET] ?? 0);
  return {
    totalBytes: length === undefined ? undefined : begins + Number(length),
    version: versionOf(request),
    async *read(from) {
      if (!(begins <= from)) throw new GapError(`the body begins at ${begins}, and ${from} bytes are kept`);
      let at = begins;
      for await (const chunk of request as AsyncIterable<Buffer>) {
        const known = Math.min(chunk.length, Math.max(0, from - at));
        at += chunk.length;
        if (known < chunk.length) yield chunk.subarray(known);
      }
      if (!request.complete) throw new Error('the client went away in the middle of the upload');
    },
  };
}

function versionOf({ headers }: IncomingMessage): string | undefined {
  const version = headers[UPLOAD_VERSION];
  return typeof version === 'string' && VERSION.test(version) ? version : undefined;
}

/** Refuses an upload. Most clients read the answer only after they have sent the whole body: the rest of it is read and dropped. */
async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  code: number,
  why: string,
): Promise<void> {
  answer(response, code, why);
  request.resume();
  const patience = AbortSignal.timeout(PATIENCE_MS);
  await once(response, 'close', { signal: patience }).catch(() => response.destroy());
}

function answer(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain', connection: 'close' });
  response.end(text);
}
