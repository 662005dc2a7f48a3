/**
 * Who uses the page, and with whose rights: on a person's own machine whoever brings the key of the terminal
 * (`local-access.ts`), on a cluster whoever brings a token that the API server knows (`token-access.ts`).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { KubeClient } from '@podvisor/kube';

/** A session that was opened, or one that goes on. */
export interface PageSession {
  /** Where a user looks first who may not look everywhere. */
  readonly namespace: string;
  /** The name that the API server knows the user by; absent: whoever started the program. */
  readonly user?: string;
  /** `Set-Cookie`, when the session is new. */
  readonly cookie?: string;
}

export interface PageAccess {
  /** What opens a session: the page asks for it. */
  readonly opensWith: 'key' | 'token';
  /** Is the page served under this `Host`? */
  isOwnHost(host: string): boolean;
  /** `http` or `https`, as the browser sees it. */
  readonly scheme: 'http' | 'https';
  /** A session for `secret`, or the one that the request has already. Undefined: neither. */
  open(secret: string, headers: IncomingHttpHeaders): Promise<PageSession | undefined>;
  /** The `Set-Cookie` that ends the session of a request. */
  close(headers: IncomingHttpHeaders): string;
  /** Asks the API server with the user's rights. Undefined: the request has no session. */
  clientOf(headers: IncomingHttpHeaders): KubeClient | undefined;
}

/** All values of a cookie: another port or a parent domain may have set one of the same name. */
export function cookieValues(headers: IncomingHttpHeaders, name: string): readonly string[] {
  return (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
}
