/**
 * Does a request come from the page itself? Other sites in the same browser can reach this port too: by a link, a form,
 * a websocket, or a name of theirs that leads to 127.0.0.1. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** Why the request is refused, or undefined. `port` is where the page is served. */
export function originProblem(
  { host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  port: number,
  isNavigation: boolean,
): string | undefined {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !own.includes(host)) return `this page is not served as "${host ?? ''}"`;
  if (origin !== undefined && origin !== `http://${host}`) return 'requests of other sites are refused';
  // A link on another page may lead here, but it may not do anything.
  if (!isNavigation && site !== undefined && site !== 'same-origin')
    return 'requests of other sites are refused';
  return undefined;
}
