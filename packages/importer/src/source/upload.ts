/**
 * The end of an upload: a listener on the Pod's own loopback, which only the upload proxy reaches, through
 * the node (decision 008). One upload at a time; one that breaks may be tried again.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { messageOf } from '@podvisor/base';
import type { ByteSource } from './source.ts';

/** How long a client that is refused may go on. */
const PATIENCE_MS = 30_000;

export interface UploadOptions {
  readonly port: number;
  /** Takes the bytes; rejects when they are no good. Called for one upload at a time. */
  receive(source: ByteSource, received: () => void): Promise<void>;
}

/** Resolves when an upload was taken; rejects when one was complete and no good. */
export async function awaitUpload({ port, receive }: UploadOptions, signal: AbortSignal): Promise<void> {
  let busy = false;
  const done = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://upload');
    const isAsync = pathname.endsWith('/upload-async');
    if (!isAsync && !pathname.endsWith('/upload')) return answer(response, 404, 'not found');
    if (request.method === 'HEAD') return answer(response, 200, '');
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
      if (!response.headersSent) await refuse(request, response, messageOf(error));
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
  return {
    totalBytes: length === undefined ? undefined : Number(length),
    version: undefined,
    async *read() {
      for await (const chunk of request) yield chunk as Uint8Array;
      if (!request.complete) throw new Error('the client went away in the middle of the upload');
    },
  };
}

/** Refuses an upload. Most clients read the answer only after they have sent the whole body: the rest of it is read and dropped. */
async function refuse(request: IncomingMessage, response: ServerResponse, why: string): Promise<void> {
  answer(response, 400, why);
  request.resume();
  const patience = AbortSignal.timeout(PATIENCE_MS);
  await once(response, 'close', { signal: patience }).catch(() => response.destroy());
}

function answer(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain', connection: 'close' });
  response.end(text);
}
