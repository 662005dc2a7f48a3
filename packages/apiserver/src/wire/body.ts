/** The body of a request, up to a limit. */
import { StatusError } from '@podvisor/base';
import { isTooDeep, MAX_DEPTH } from './nesting.ts';
import { badRequest } from './status.ts';
import { type ApiRequest, dropRequest, wasCutOff } from './exchange.ts';

const MAX_BODY_BYTES = 3 * 1024 * 1024;
/** For whoever goes on sending after the answer; long enough to read it. */
const LINGER_MS = 1_000;

/**
 * Reads the body in flowing mode: it is small and bounded, so the connection need never be paused for it. Rejects
 * as soon as it is too long; the rest is thrown away, and the connection ends soon after.
 */
export function readBody(request: ApiRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      request.off('data', take);
      request.resume();
      setTimeout(() => dropRequest(request), LINGER_MS).unref();
      reject(
        new StatusError('RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY_BYTES}`),
      );
    };
    request.on('data', take);
    const cutOff = (): void =>
      reject(badRequest('the connection was closed before the request was complete'));
    // Half a manifest in YAML is a manifest: it must not be taken for the whole.
    request.once('end', () => {
      // Every request closes after its end, and an error costs more than reading the body.
      request.off('close', cutOff);
      if (wasCutOff(request)) cutOff();
      else resolve(Buffer.concat(chunks));
    });
    request.once('error', reject);
    request.once('close', cutOff);
  });
}

/** The body as text. JSON that is nested without measure is refused here, before anything walks it. */
export async function readText(request: ApiRequest): Promise<string> {
  const text = (await readBody(request)).toString('utf8');
  const isYaml = (request.headers['content-type'] ?? '').includes('yaml');
  if (!isYaml && isTooDeep(text))
    throw badRequest(`the body is nested too deeply: more than ${MAX_DEPTH} levels`);
  return text;
}
