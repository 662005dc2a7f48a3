/** A request's body, with a limit. */
import type { IncomingMessage } from 'node:http';
import { messageOf, StatusError } from '@podvisor/base';

/** Two copies of the largest object that Kubernetes stores, and some air. */
const MAX_BODY_BYTES = 8 << 20;

/** The body as JSON; undefined when there is none. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    throw new StatusError(
      'BadRequest',
      `Can not unmarshal Request body to struct, error: ${messageOf(error)}`,
    );
  }
}

/** By events: an iterator for each small body costs as much as parsing it. */
function readBody(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else {
      request.pause();
      reject(new StatusError('RequestEntityTooLarge', `the body exceeds ${MAX_BODY_BYTES} bytes`));
    }
  });
  request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  request.once('error', reject);
  // A client that is gone has sent an end or an error, or nobody waits any more for what it sent.
  request.once('close', () => reject(new StatusError('BadRequest', 'the body of the request ended early')));
  return promise;
}
