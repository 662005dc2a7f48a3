/**
 * Bytes from a web server. A broken connection is taken up where it broke (Range, If-Range), as long as the
 * server still has the same file; five tries without a byte between them, and we give up.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { DialPolicy } from '@podvisor/base';
import { AddressRefused, checkedHost, checkedLookup } from '@podvisor/sys';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { discard, HttpStatusError, requestAcrossRedirects, type Sign } from './redirects.ts';
import { type ByteSource, SourceChangedError } from './source.ts';

export interface HttpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of one request, from those that it has: a signature, which does not last and is for one URL. */
  readonly sign?: Sign;
  /** PEM of the CA that the server's certificate must chain to. */
  readonly ca?: string;
  /** What may be dialled; nothing of the machine itself unless given. */
  readonly policy?: DialPolicy;
}

const MAX_TRIES = 5;
const RETRY_MS = 500;
const SILENCE_MS = 60_000;

export async function openHttp(options: HttpOptions, signal: AbortSignal): Promise<ByteSource> {
  const dispatcher = new Agent({
    connect: checkedConnector(options),
    bodyTimeout: SILENCE_MS,
    headersTimeout: SILENCE_MS,
  });
  let first: Dispatcher.ResponseData | undefined = await get(options, dispatcher, 0, undefined, signal);
  const version = versionOf(first.headers);
  const length = first.headers['content-length'];
  const totalBytes = typeof length === 'string' ? Number(length) : undefined;
  return {
    totalBytes,
    version: first.headers['accept-ranges'] === 'bytes' ? version : undefined,
    async *read(offset, end) {
      let position = offset;
      let failures = 0;
      for (;;) {
        try {
          const response =
            position === 0 && first !== undefined
              ? first
              : await get(options, dispatcher, position, version, end);
          if (position !== 0) discard(first);
          first = undefined;
          for await (const chunk of response.body) {
            const bytes: Uint8Array = chunk;
            position += bytes.length;
            failures = 0;
            yield bytes;
          }
          if (totalBytes === undefined || position >= totalBytes) return;
          throw new Error(`the connection ended after ${position} of ${totalBytes} bytes`);
        } catch (error) {
          end.throwIfAborted();
          failures += 1;
          const final =
            error instanceof HttpStatusError ||
            error instanceof SourceChangedError ||
            error instanceof AddressRefused;
          if (final || failures >= MAX_TRIES) throw error;
          if (position > 0 && version === undefined)
            throw new SourceChangedError('the connection broke, and the server cannot go on in the middle', {
              cause: error,
            });
          await pause(RETRY_MS * failures, undefined, { signal: end });
        }
      }
    },
  };
}

/** Connects where the URL and its redirects lead, unless that is no address for others: every hop is checked. */
function checkedConnector({ ca, policy = {} }: HttpOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: 30_000,
    lookup: checkedLookup(policy),
    ...(ca === undefined ? {} : { ca }),
  });
  return (target, done) => {
    try {
      connect({ ...target, hostname: checkedHost(target.hostname, policy).host }, done);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      done(error, null);
    }
  };
}

async function get(
  { url, headers, sign }: HttpOptions,
  dispatcher: Dispatcher,
  offset: number,
  version: string | undefined,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const range =
    offset === 0
      ? {}
      : { range: `bytes=${offset}-`, ...(version === undefined ? {} : { 'if-range': version }) };
  const response = await requestAcrossRedirects({ url, headers, sign, plain: range, dispatcher, signal });
  const { statusCode } = response;
  if (offset > 0 && statusCode === 206 && startsAt(response.headers, offset)) return response;
  if (offset > 0 && statusCode < 400) {
    discard(response);
    throw new SourceChangedError(
      `${url} is another file than before, or its server cannot go on in the middle`,
    );
  }
  if (statusCode === 200) return response;
  discard(response);
  if (statusCode >= 500) throw new Error(`${url}: the server answered ${statusCode}`);
  throw new HttpStatusError(`${url}: expected status code 200, got ${statusCode}`);
}

function startsAt(headers: Dispatcher.ResponseData['headers'], offset: number): boolean {
  const range = headers['content-range'];
  return typeof range === 'string' && range.startsWith(`bytes ${offset}-`);
}

/** A strong ETag, else the date: what If-Range accepts. */
function versionOf(headers: Dispatcher.ResponseData['headers']): string | undefined {
  const { etag } = headers;
  if (typeof etag === 'string' && !etag.startsWith('W/')) return etag;
  const date = headers['last-modified'];
  return typeof date === 'string' ? date : undefined;
}
