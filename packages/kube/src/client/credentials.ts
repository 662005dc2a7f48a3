/**
 * Who we are, read again when it changes: certificates and tokens are renewed while processes run, and a
 * renewed kubeconfig must not need a restart.
 */
import { readFileSync, statSync } from 'node:fs';
import { type ClusterAccess, loadInClusterAccess, loadKubeconfig } from './kubeconfig.ts';

/** Gives the access to use for the next connection or request. */
export interface Credentials {
  current(): ClusterAccess;
}

/** Access that never changes. */
export function fixedCredentials(access: ClusterAccess): Credentials {
  return { current: () => access };
}

/** A request asks several times who we are; what was true half a second ago will do. */
const LOOK_EVERY_MS = 500;

/** Follows a kubeconfig file: it is read again when its modification time changed. */
export function kubeconfigCredentials(
  path: string,
  now: () => number = () => performance.now(),
): Credentials {
  let readAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  let access = loadKubeconfig(path);
  let lookedAt = now();
  return {
    current() {
      if (now() - lookedAt < LOOK_EVERY_MS) return access;
      lookedAt = now();
      const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (changedAt !== undefined && changedAt !== readAt) {
        access = loadKubeconfig(path);
        readAt = changedAt;
      }
      return access;
    },
  };
}

/** Given path, else `$KUBECONFIG`, else the Pod's service account. */
export function defaultCredentials(path?: string, env: NodeJS.ProcessEnv = process.env): Credentials {
  const file = path ?? env['KUBECONFIG'];
  return file === undefined ? fixedCredentials(loadInClusterAccess(env)) : kubeconfigCredentials(file);
}

const TOKEN_CACHE_MS = 60_000;

/** Builds the `Authorization` header; a token file is read at most once a minute. */
export class AuthorizationHeader {
  readonly #credentials: Credentials;
  readonly #now: () => number;
  #token: { readonly file: string; readonly text: string; readonly readAt: number } | undefined;

  constructor(credentials: Credentials, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  /** The header's value, or undefined when the client certificate speaks for us. */
  value(): string | undefined {
    const { token, tokenFile, username, password } = this.#credentials.current();
    if (tokenFile !== undefined) return `Bearer ${this.#fromFile(tokenFile)}`;
    if (token !== undefined) return `Bearer ${token}`;
    if (username === undefined) return undefined;
    return `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
  }

  #fromFile(file: string): string {
    const cached = this.#token;
    if (cached?.file === file && this.#now() - cached.readAt < TOKEN_CACHE_MS) return cached.text;
    const text = readFileSync(file, 'utf8').trim();
    this.#token = { file, text, readAt: this.#now() };
    return text;
  }
}
