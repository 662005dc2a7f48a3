/**
 * A token that the browser carries and cannot read: sealed with a key that this process made and keeps to itself. So the
 * server stores nobody's token, and what somebody finds in a browser opens nothing but this page.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealed {
  readonly token: string;
  /** When the session ends. */
  readonly untilMs: number;
}

export class TokenSealer {
  readonly #key = randomBytes(KEY_BYTES);

  /** `host`: under which the page was opened; it is known under no other. */
  seal(content: Sealed, host: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(
      Buffer.from(host),
    );
    const text = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** Undefined: not ours, changed, of another host, or over. */
  unseal(sealed: string, host: string, nowMs: number): Sealed | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(host))
        .setAuthTag(tag);
      const text = Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]);
      const content = JSON.parse(text.toString('utf8')) as Sealed;
      return content.untilMs > nowMs ? content : undefined;
    } catch {
      return undefined;
    }
  }
}

/** When a token ends by itself, if it says so: the `exp` of a JWT. What cannot be read says nothing. */
export function tokenEndMs(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const { exp } = claims as { readonly exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
