/**
 * The page on a cluster: whoever brings a token that the API server knows uses it with the rights of that token, and
 * with no others. The token comes once, by the form, and goes back sealed in a cookie; or a proxy that logs people in
 * sends it with every request.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isStatus, StatusError } from '@podvisor/base';
import { type ClusterAccess, KubeClient } from '@podvisor/kube';
import { at, textOf } from '../../plain.ts';
import { cookieValues, type PageAccess, type PageSession } from '../access.ts';
import { BearerClient } from './bearer-client.ts';
import { TokenSealer, tokenEndMs } from './sealed-token.ts';

/** Browsers take it over TLS only, for this host only, and let nobody set it for a parent domain. */
const COOKIE = '__Host-podvisor-ui';
const ATTRIBUTES = 'HttpOnly; Secure; SameSite=Strict; Path=/';
/** A session ends after a working day, and with its token if that is sooner. */
const LONGEST_MS = 12 * 3_600_000;
/** Browsers keep 4096 bytes a cookie; sealing makes a token a third longer. */
const MAX_TOKEN = 2_900;
const TOKEN = /^[\x21-\x7e]+$/;
const WHO_AM_I = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

export class TokenAccess implements PageAccess {
  readonly opensWith = 'token';
  readonly scheme = 'https';
  readonly #sealer = new TokenSealer();
  readonly #access: ClusterAccess;
  readonly #shared: KubeClient;
  readonly #now: () => number;

  /** `access` holds no credentials. `shared` makes the connections to it. */
  constructor(access: ClusterAccess, now: () => number, shared = KubeClient.fromAccess(access, 'virt-ui')) {
    this.#access = access;
    this.#shared = shared;
    this.#now = now;
  }

  /** Whatever name leads here: a session is bound to the one under which it was opened. */
  isOwnHost(): boolean {
    return true;
  }

  async open(secret: string, headers: IncomingHttpHeaders): Promise<PageSession | undefined> {
    if (secret === '') {
      const token = this.#tokenOf(headers);
      return token === undefined ? undefined : this.#sessionOf(token);
    }
    if (secret.length > MAX_TOKEN || !TOKEN.test(secret))
      throw refused(`a token has no spaces and at most ${MAX_TOKEN} letters`);
    const session = await this.#sessionOf(secret);
    const untilMs = Math.min(this.#now() + LONGEST_MS, tokenEndMs(secret) ?? Infinity);
    const sealed = this.#sealer.seal({ token: secret, untilMs }, headers.host ?? '');
    return { ...session, cookie: `${COOKIE}=${sealed}; ${ATTRIBUTES}` };
  }

  close(): string {
    return `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
  }

  clientOf(headers: IncomingHttpHeaders): KubeClient | undefined {
    const token = this.#tokenOf(headers);
    return token === undefined ? undefined : this.#client(token);
  }

  #client(token: string): KubeClient {
    return new BearerClient(this.#shared, this.#access, token);
  }

  #tokenOf(headers: IncomingHttpHeaders): string | undefined {
    const { host = '', authorization } = headers;
    const [, given] = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '') ?? [];
    if (given !== undefined) return given;
    return cookieValues(headers, COOKIE)
      .map((value) => this.#sealer.unseal(value, host, this.#now())?.token)
      .find((token) => token !== undefined);
  }

  /** Who the API server says this is. */
  async #sessionOf(token: string): Promise<PageSession> {
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const client = this.#client(token);
    const review = await client.request({ method: 'POST', path: WHO_AM_I, body }).catch((error: unknown) => {
      throw isStatus(error, 'Unauthorized')
        ? refused('the API server does not know this token, or no more')
        : error;
    });
    const user = textOf(at(review, 'status', 'userInfo', 'username')) ?? '';
    // The API server may let in whoever brings nothing that it knows.
    if (user === '' || user === 'system:anonymous') throw refused('the API server does not know this token');
    return { user, namespace: /^system:serviceaccount:([^:]+):/.exec(user)?.[1] ?? 'default' };
  }
}

function refused(words: string): StatusError {
  return new StatusError('Unauthorized', words, { details: { kind: 'token' } });
}
