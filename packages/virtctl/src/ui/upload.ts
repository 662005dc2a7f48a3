/** A disk image from the browser into a claim that waits for one, as it comes: nothing is kept on the way. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StatusError } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { request as send } from 'undici';
import { uploadProxy } from '../upload/proxy.ts';

const MAX_WORDS = 1_000;

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
      headers: { ...headers, 'content-type': 'application/octet-stream', 'content-length': length },
      body: request,
      signal: gone.signal,
    });
    const words = (await answer.body.text()).slice(0, MAX_WORDS);
    if (answer.statusCode !== 200)
      throw new StatusError('BadRequest', `the upload proxy answered ${answer.statusCode}: ${words}`);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end('{}');
  } finally {
    await dispatcher.close();
  }
}
