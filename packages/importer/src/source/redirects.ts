/**
 * A GET that goes where redirects lead. Headers, credentials and signatures are for the origin of the URL that they
 * were given with: who is redirected to gets none of them, and neither does anything that he redirects to. Addresses
 * are the dispatcher's to check, at every step.
 */
import { type Dispatcher, request } from 'undici';

export type Headers = Readonly<Record<string, string>>;
export type Sign = (headers: Headers, url: string) => Headers;

export interface RedirectedGet {
  readonly url: string;
  /** For the origin of `url`. */
  readonly headers: Headers;
  readonly sign: Sign | undefined;
  /** For whoever has the bytes: nothing of a secret. */
  readonly plain: Headers;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** The server refused; trying again changes nothing by itself. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError';
}

export async function requestAcrossRedirects(get: RedirectedGet): Promise<Dispatcher.ResponseData> {
  const { dispatcher, signal, plain, sign } = get;
  const home = new URL(get.url).origin;
  let url = get.url;
  let isHome = true;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const wanted = isHome ? { ...get.headers, ...plain } : plain;
    const headers = isHome ? (sign?.(wanted, url) ?? wanted) : wanted;
    const response = await request(url, { dispatcher, signal, headers });
    const { location } = response.headers;
    if (!REDIRECTS.includes(response.statusCode) || typeof location !== 'string') return response;
    discard(response);
    const next = webAddress(location, url);
    if (next === undefined)
      throw new HttpStatusError(`${get.url} leads to ${location}, which is no address of the web`);
    isHome &&= next.origin === home;
    url = next.href;
  }
  throw new HttpStatusError(`${get.url}: more than ${MAX_REDIRECTS} redirects`);
}

/** An answer that nobody reads. */
export function discard(response: Dispatcher.ResponseData | undefined): void {
  response?.body.on('error', () => undefined).destroy();
}

function webAddress(location: string, base: string): URL | undefined {
  const url = URL.parse(location, base);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  // Not given by the user, so not his: undici would send them as they are.
  url.username = '';
  url.password = '';
  return url;
}
