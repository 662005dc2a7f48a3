/** Service-account tokens: JWTs that the server signs and checks, bound to a service account and maybe a Pod. */
import {
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  type KeyObject,
  randomUUID,
  createHash,
} from 'node:crypto';
import { serviceAccountGroups } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import type { Store } from '../object-store.ts';
import { keyOf } from '@podvisor/store';
import type { UserInfo } from '../core.ts';
import { NODE_NAME_EXTRA } from './node-identity.ts';
import type { ServiceAccountKeys } from '../options.ts';
import { arrayAt, asString, at, type JsonObject, objectAt, parseJson, stringAt } from '../wire/json.ts';

export const DEFAULT_ISSUER = 'https://kubernetes.default.svc';
const PREFIX = 'system:serviceaccount:';

export interface TokenSubject {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly serviceAccountUid: string;
  /** The object the token is bound to. */
  readonly bound?: { readonly kind: string; readonly name: string; readonly uid: string };
  /** The node of the Pod that it is bound to. */
  readonly node?: { readonly name: string; readonly uid: string };
}

export class TokenIssuer {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #private: KeyObject;
  readonly #public: readonly KeyObject[];
  readonly issuer: string;

  constructor(store: Store, clock: Clock, keys: ServiceAccountKeys) {
    this.#store = store;
    this.#clock = clock;
    this.#private = createPrivateKey(keys.privateKey);
    this.#public = [
      createPublicKey(this.#private),
      ...(keys.publicKeys ?? []).map((pem) => createPublicKey(pem)),
    ];
    this.issuer = keys.issuer ?? DEFAULT_ISSUER;
  }

  /** The public keys as a JSON Web Key Set. */
  jwks(): JsonObject {
    return {
      keys: this.#public.map((key) => {
        const rsa = key.asymmetricKeyType === 'rsa';
        const parts = Object.entries(key.export({ format: 'jwk' })).map(([name, part]) => [
          name,
          asString(part),
        ]);
        return { use: 'sig', kid: keyId(key), alg: rsa ? 'RS256' : 'ES256', ...Object.fromEntries(parts) };
      }),
    };
  }

  /** Signs a token that is valid for `seconds`. */
  issue(
    subject: TokenSubject,
    audiences: readonly string[],
    seconds: number,
  ): { token: string; expiresAtMs: number } {
    const now = Math.floor(this.#clock.now() / 1000);
    const { bound, node } = subject;
    const claims = {
      aud: audiences.length === 0 ? [this.issuer] : audiences,
      exp: now + seconds,
      iat: now,
      iss: this.issuer,
      jti: randomUUID(),
      'kubernetes.io': {
        namespace: subject.namespace,
        ...(node === undefined ? {} : { node }),
        ...(bound === undefined ? {} : { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
        serviceaccount: { name: subject.serviceAccount, uid: subject.serviceAccountUid },
      },
      nbf: now,
      sub: `${PREFIX}${subject.namespace}:${subject.serviceAccount}`,
    };
    const rsa = this.#private.asymmetricKeyType === 'rsa';
    const kid = keyId(createPublicKey(this.#private));
    const head = encode({ alg: rsa ? 'RS256' : 'ES256', kid });
    const body = `${head}.${encode(claims)}`;
    const signature = createSign('sha256')
      .update(body)
      .sign(rsa ? this.#private : { key: this.#private, dsaEncoding: 'ieee-p1363' });
    return { token: `${body}.${signature.toString('base64url')}`, expiresAtMs: (now + seconds) * 1000 };
  }

  /** The user of a token, or undefined when it is not valid here. */
  verify(token: string, audience?: string): UserInfo | undefined {
    const claims = this.#claims(token);
    if (claims === undefined) return undefined;
    const now = this.#clock.now() / 1000;
    if (
      stringAt(claims, 'iss') !== this.issuer ||
      Number(claims['exp'] ?? 0) < now ||
      Number(claims['nbf'] ?? 0) > now + 5
    )
      return undefined;
    if (!arrayAt(claims, 'aud').includes(audience ?? this.issuer)) return undefined;
    return this.#boundUser(claims);
  }

  #claims(token: string): JsonObject | undefined {
    const [head, body, signature] = token.split('.');
    if (head === undefined || body === undefined || signature === undefined) return undefined;
    const given = Buffer.from(signature, 'base64url');
    const valid = this.#public.some((key) => {
      const verifier = createVerify('sha256').update(`${head}.${body}`);
      try {
        return verifier.verify(
          key.asymmetricKeyType === 'rsa' ? key : { key, dsaEncoding: 'ieee-p1363' },
          given,
        );
      } catch {
        // A signature of another length or form is not one of this key.
        return false;
      }
    });
    if (!valid) return undefined;
    try {
      return objectAt({ claims: parseJson(Buffer.from(body, 'base64url').toString()) }, 'claims');
    } catch {
      return undefined;
    }
  }

  /** A token ends with its service account and with what it is bound to. */
  #boundUser(claims: JsonObject): UserInfo | undefined {
    const own = objectAt(claims, 'kubernetes.io');
    const namespace = stringAt(own, 'namespace');
    const name = stringAt(own, 'serviceaccount', 'name');
    const uid = stringAt(own, 'serviceaccount', 'uid');
    const account = this.#store.get(keyOf('', 'serviceaccounts', namespace, name))?.object;
    if (
      account === undefined ||
      account.metadata.uid !== uid ||
      account.metadata.deletionTimestamp !== undefined
    )
      return undefined;
    const extra: Record<string, string[]> = {
      'authentication.kubernetes.io/credential-id': [`JTI=${stringAt(claims, 'jti')}`],
    };
    for (const [field, plural, within] of [
      ['pod', 'pods', namespace],
      ['secret', 'secrets', namespace],
      ['node', 'nodes', ''],
    ] as const) {
      if (at(own, field) === undefined) continue;
      // The node of a Pod may be gone before its Pod is: what the token is bound to is the Pod.
      const isFact = field === 'node' && at(own, 'pod') !== undefined;
      const bound = this.#store.get(keyOf('', plural, within, stringAt(own, field, 'name')))?.object;
      if (!isFact && bound?.metadata.uid !== stringAt(own, field, 'uid')) return undefined;
      if (field === 'node') {
        extra[NODE_NAME_EXTRA] = [stringAt(own, field, 'name')];
        extra['authentication.kubernetes.io/node-uid'] = [stringAt(own, field, 'uid')];
      }
      if (field === 'pod') {
        extra['authentication.kubernetes.io/pod-name'] = [stringAt(own, field, 'name')];
        extra['authentication.kubernetes.io/pod-uid'] = [stringAt(own, field, 'uid')];
      }
    }
    return {
      username: `${PREFIX}${namespace}:${name}`,
      uid,
      groups: serviceAccountGroups(namespace),
      extra,
    };
  }
}

/** Names a public key by its hash, so that a verifier finds it in the set. */
function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
