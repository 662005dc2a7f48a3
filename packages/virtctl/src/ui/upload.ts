/**
 * A disk image from the browser into a claim that waits for one, as it comes: nothing is kept on the way. Where the
 * other end keeps what came before a cut (ours does, CDI does not), the page is told how much, and sends the rest.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { UPLOAD_OFFSET, UPLOAD_VERSION } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { request as send } from 'undici';
import { uploadProxy } from '../upload/proxy.ts';

const MAX_WORDS = 1_000;
/** The page's headers, as the other end knows them. */
const CONTENT = ['upload-content', UPLOAD_VERSION] as const;
const BEGINS_AT = ['upload-begins-at', UPLOAD_OFFSET] as const;

/** How much of the content that the request names is in the claim already. */
export async function uploadedBytes(
  client: KubeClient,
  namespace: string,
  claim: string,
  request: IncomingMessage,
): Promise<{ readonly offset: number }> {
  const { url, headers, dispatcher } = await uploadProxy(client, namespace, claim);
  try {
    const answer = await send(url, {
      method: 'HEAD',
      dispatcher,
      headers: { ...headers, ...passed(request.headers, [CONTENT]) },
    });
    const offset = Number(answer.headers[UPLOAD_OFFSET] ?? 0);
    return { offset: answer.statusCode === 200 && Number.isSafeInteger(offset) ? offset : 0 };
  } finally {
    await dispatcher.close();
  }
}

/** Answers 200 when the proxy has taken all of it; the claim is ready when its DataVolume says so. */
export async function takeUpload(
  client: KubeClient,
  namespace: string,
  claim: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const length = request.headers['content-length'];
  if (length === undefined) throw new StatusError('BadRequest', 'an upload must say how long it is');
  const { url, headers, dispatcher } = await uploadProxy(client, namespace, claim);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const answer = await send(url, {
      method: 'POST',
      dispatcher,
      headers: {
        ...headers,
        ...passed(request.headers, [CONTENT, BEGINS_AT]),
        'content-type': 'application/octet-stream',
        'content-length': length,
      },
      body: request,
      signal: gone.signal,
    });
    const words = (await answer.body.text()).slice(0, MAX_WORDS);
    if (answer.statusCode !== 200) throw refusal(answer.statusCode, words);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end('{}');
  } finally {
    await dispatcher.close();
  }
}

/** What passes by itself may be tried again: an upload before it is not given up yet, or has come further. */
function refusal(code: number, words: string): StatusError {
  const text = `the upload proxy answered ${code}: ${words}`;
  return new StatusError(code === 409 || code >= 500 ? 'ServiceUnavailable' : 'BadRequest', text);
}

function passed(
  headers: IncomingHttpHeaders,
  names: readonly (readonly [ours: string, theirs: string])[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap(([ours, theirs]) => {
      const value = headers[ours];
      return typeof value === 'string' ? [[theirs, value]] : [];
    }),
  );
}
