/** Tokens that allow one upload into one claim, for a few minutes: a signed JSON document (JWT, HS256). */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Clock } from '@podvisor/base';
import { writePrivateFile } from '@podvisor/kube';

export interface UploadTarget {
  readonly namespace: string;
  readonly claim: string;
}

/** As CDI's: enough to begin an upload. */
const LIFETIME_MS = 5 * 60_000;
const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

export class UploadTokens {
  readonly #key: Buffer;
  readonly #clock: Clock;

  constructor(key: Buffer, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
  }

  issue({ namespace, claim }: UploadTarget): string {
    const expires = Math.floor((this.#clock.now() + LIFETIME_MS) / 1000);
    const body = encode({ operation: 'upload', namespace, name: claim, exp: expires });
    return `${HEADER}.${body}.${this.#sign(`${HEADER}.${body}`)}`;
  }

  /** Undefined unless we issued it and it is not over. */
  check(token: string): UploadTarget | undefined {
    const [header = '', body = '', signature = ''] = token.split('.');
    const wanted = Buffer.from(this.#sign(`${header}.${body}`));
    const given = Buffer.from(signature);
    if (header !== HEADER || wanted.length !== given.length || !timingSafeEqual(wanted, given))
      return undefined;
    const { namespace, name, exp } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as {
      readonly namespace: string;
      readonly name: string;
      readonly exp: number;
    };
    return exp * 1000 > this.#clock.now() ? { namespace, claim: name } : undefined;
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The key at `path`, made when it is not there. */
export function uploadKey(path: string): Buffer {
  if (!existsSync(path)) writePrivateFile(path, randomBytes(32).toString('hex'));
  return Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
}
