import { randomInt } from 'node:crypto';

/** Kubernetes' own alphabet for generated names: no vowels, so no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Five random characters for the end of a generated name. */
export function randomSuffix(): string {
  return Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
