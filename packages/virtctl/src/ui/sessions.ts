/**
 * Who may use the page: the browser that brings the key that was printed in the terminal. The key opens one session and
 * is used up by that; the session lives in a cookie that no script can read and no other site can send, and ends with
 * the program.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { cookieValues } from './access.ts';

const COOKIE = 'podvisor-ui';
const SECRET_BYTES = 32;

export class Sessions {
  #key: string | undefined;
  readonly #open = new Set<string>();

  /** A new key; the one before it, if nobody used it, counts no more. */
  issueKey(): string {
    this.#key = secret();
    return this.#key;
  }

  /** The `Set-Cookie` header of a new session, or undefined when the key is wrong or used up. */
  redeem(key: string): string | undefined {
    if (this.#key === undefined || !isSame(key, this.#key)) return undefined;
    this.#key = undefined;
    const session = secret();
    this.#open.add(session);
    return `${COOKIE}=${session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  has(headers: IncomingHttpHeaders): boolean {
    return this.#given(headers).length > 0;
  }

  /** Ends the sessions of a request; the `Set-Cookie` header that takes the cookie away. */
  end(headers: IncomingHttpHeaders): string {
    for (const session of this.#given(headers)) this.#open.delete(session);
    return `${COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`;
  }

  #given(headers: IncomingHttpHeaders): readonly string[] {
    const given = cookieValues(headers, COOKIE);
    return [...this.#open].filter((session) => given.some((value) => isSame(value, session)));
  }
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
