/**
 * Does a request come from the page itself? Other sites in the same browser can reach it too: by a link, a form, a
 * websocket, or a name of theirs that leads to the same address. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { PageAccess } from './access.ts';

/** Why the request is refused, or undefined. The words say nothing about the page's own name. */
export function originProblem(
  { host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  access: Pick<PageAccess, 'scheme' | 'isOwnHost'>,
  isNavigation: boolean,
): string | undefined {
  if (host === undefined || !access.isOwnHost(host)) return `this page is not served as "${host ?? ''}"`;
  if (origin !== undefined && origin !== `${access.scheme}://${host}`)
    return 'requests of other sites are refused';
  // A link on another page may lead here, but it may not do anything.
  if (!isNavigation && site !== undefined && site !== 'same-origin')
    return 'requests of other sites are refused';
  return undefined;
}
