/**
 * Values of the store as they lie on disk. Kinds with a rule are sealed with AES-256-GCM; the text names the
 * key, as Kubernetes' does in etcd: `k8s:enc:aesgcm:v1:<key name>:<base64 of nonce, ciphertext and tag>`. The
 * store key is authenticated with it, so that a value cannot be moved to another object. Pure but for the
 * random nonce.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { collectionOf } from './types.ts';

const ALGORITHM = 'aes-256-gcm';
const PREFIX = 'k8s:enc:aesgcm:v1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface EncryptionKey {
  readonly name: string;
  /** 32 bytes. */
  readonly secret: Buffer;
}

export interface EncryptionRule {
  /** `group/plural`, or `*` for every kind. */
  readonly collection: string;
  /** The first writes, all read. Empty: nothing is sealed, and sealed values cannot be read. */
  readonly keys: readonly EncryptionKey[];
  /** New values are written as they are; `keys` only read. */
  readonly writesPlain: boolean;
}

/** A value was sealed with a key that is not there any more, or was changed. Nothing can read it. */
export class SealedValueError extends Error {
  override readonly name = 'SealedValueError';
}

/** What the log asks about each value. */
export interface ValueCipher {
  seal(key: string, text: string): string;
  /** Throws SealedValueError. */
  open(key: string, stored: string): string;
  /** False when the value should be written again: it is plain and should not be, or has an old key. */
  isCurrent(key: string, stored: string): boolean;
}

/** The first rule that names a kind decides. */
export function valueCipher(rules: readonly EncryptionRule[]): ValueCipher {
  const byCollection = new Map<string, EncryptionRule | undefined>();
  const keys = new Map(rules.flatMap((rule) => rule.keys.map((key) => [key.name, key] as const)));
  const writerOf = (key: string): EncryptionKey | undefined => {
    const collection = collectionOf(key);
    if (!byCollection.has(collection))
      byCollection.set(
        collection,
        rules.find((rule) => rule.collection === collection || rule.collection === '*'),
      );
    const rule = byCollection.get(collection);
    return rule === undefined || rule.writesPlain ? undefined : rule.keys[0];
  };
  return {
    seal: (key, text) => {
      const writer = writerOf(key);
      return writer === undefined ? text : sealed(writer, key, text);
    },
    open: (key, stored) => (isSealed(stored) ? opened(keys, key, stored) : stored),
    isCurrent: (key, stored) => {
      const writer = writerOf(key);
      return writer === undefined ? !isSealed(stored) : stored.startsWith(`${PREFIX}${writer.name}:`);
    },
  };
}

/** Plain values are JSON objects, so that this can be no plain one. */
export function isSealed(stored: string): boolean {
  return stored.startsWith('k8s:enc:');
}

function sealed({ name, secret }: EncryptionKey, key: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, nonce).setAAD(Buffer.from(key));
  const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${PREFIX}${name}:${bytes.toString('base64')}`;
}

function opened(keys: ReadonlyMap<string, EncryptionKey>, key: string, stored: string): string {
  const [name = '', base64 = ''] = stored.slice(PREFIX.length).split(':');
  const found = stored.startsWith(PREFIX) ? keys.get(name) : undefined;
  if (found === undefined)
    throw new SealedValueError(
      `${key} in the store is encrypted with the key "${name}", which the encryption configuration does not have`,
    );
  const bytes = Buffer.from(base64, 'base64');
  const body = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
  try {
    const decipher = createDecipheriv(ALGORITHM, found.secret, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(key))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
  } catch (error) {
    throw new SealedValueError(
      `${key} in the store cannot be decrypted with the key "${name}": the key or the value is not the one that was written`,
      { cause: error },
    );
  }
}
