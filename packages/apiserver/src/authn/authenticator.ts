/**
 * Who sends a request: a client certificate of the cluster CA, or a service-account token. Without
 * credentials the request is anonymous; with bad ones it is refused. Impersonation comes after.
 */
import { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { StatusError } from '@podvisor/base';
import type { UserInfo } from '../core.ts';
import { certificateGroups, unitExtra } from './node-identity.ts';
import type { TokenIssuer } from './tokens.ts';
import { type ApiRequest, connectionOf } from '../wire/exchange.ts';

export const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
const AUTHENTICATED = 'system:authenticated';

export class Authenticator {
  readonly #tokens: TokenIssuer;
  /** The certificate of a connection is looked at once. */
  readonly #connections = new WeakMap<Duplex, UserInfo | null>();

  constructor(tokens: TokenIssuer) {
    this.#tokens = tokens;
  }

  /** Throws 401 for credentials that are not valid. */
  authenticate(request: ApiRequest): UserInfo {
    const certificate = this.#certificateUser(request);
    if (certificate !== undefined) return certificate;
    const header = request.headers.authorization;
    const token = header === undefined ? tokenFromProtocol(request) : bearer(header);
    if (token === undefined) return ANONYMOUS;
    const user = this.#tokens.verify(token);
    if (user === undefined) throw unauthorized();
    return withAuthenticated(user);
  }

  /** Whatever comes over this connection is from this user. */
  vouch(socket: Duplex, user: UserInfo): void {
    this.#connections.set(socket, user);
  }

  #certificateUser(request: ApiRequest): UserInfo | undefined {
    const socket = connectionOf(request);
    if (socket === undefined) throw unauthorized();
    let user = this.#connections.get(socket);
    if (user === undefined && socket instanceof TLSSocket) {
      user = readCertificate(socket) ?? null;
      this.#connections.set(socket, user);
    }
    return user ?? undefined;
  }
}

export function unauthorized(): StatusError {
  return new StatusError('Unauthorized', 'Unauthorized');
}

/** Who a client certificate (PEM) stands for; throws when this CA did not sign it. */
export function certificateUser(pem: string, ca: string): UserInfo {
  const certificate = new X509Certificate(pem);
  const user = userOf(certificate.toLegacyObject());
  if (user === undefined || !certificate.verify(new X509Certificate(ca).publicKey)) throw unauthorized();
  return user;
}

function readCertificate(socket: TLSSocket): UserInfo | undefined {
  const certificate = socket.getPeerCertificate();
  if (Object.keys(certificate).length === 0) return undefined;
  // A certificate of another CA is no credential; Kubernetes answers 401 for it.
  if (!socket.authorized) throw unauthorized();
  return userOf(certificate);
}

function userOf(certificate: PeerCertificate): UserInfo | undefined {
  const { CN, O, OU } = certificate.subject as Record<string, string | string[] | undefined>;
  const [username] = listOf(CN);
  if (username === undefined || username === '') return undefined;
  return withAuthenticated({
    username,
    groups: certificateGroups(username, listOf(O)),
    extra: {
      ...unitExtra(listOf(OU)),
      'authentication.kubernetes.io/credential-id': [
        `X509SHA256=${certificate.fingerprint256.replaceAll(':', '').toLowerCase()}`,
      ],
    },
  });
}

function listOf(value: string | string[] | undefined): readonly string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

export function withAuthenticated(user: UserInfo): UserInfo {
  return user.groups.includes(AUTHENTICATED) ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
}

/** An Authorization header that is not a bearer token counts as none, as in Kubernetes. */
function bearer(header: string): string | undefined {
  const match = /^Bearer\s+(\S+)\s*$/i.exec(header);
  return match?.[1];
}

/** Browsers cannot set headers on websockets: the token comes as a subprotocol. */
function tokenFromProtocol(request: ApiRequest): string | undefined {
  const prefix = 'base64url.bearer.authorization.k8s.io.';
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((p) => p.trim());
  const found = protocols.find((protocol) => protocol.startsWith(prefix));
  return found === undefined ? undefined : Buffer.from(found.slice(prefix.length), 'base64url').toString();
}
