/**
 * The launcher Pod's name, derived from the UID of what it is made for: the VMI, or a migration of it. Each has
 * one launcher Pod, so a second attempt to create it, by a restarted controller or after a lost answer, meets the
 * first one instead of making a second runner for the same disks.
 */
import { createHash } from 'node:crypto';

/** Kubernetes' own alphabet for generated names: no vowels, so no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_NAME_LENGTH = 63;

/** Five characters that stand for `text`. */
export function nameSuffix(text: string): string {
  const digest = createHash('sha256').update(text).digest();
  return [...digest.subarray(0, SUFFIX_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** `virt-launcher-<vmi>-<5 characters>`, cut as the API server cuts generated names. */
export function launcherPodName(vmiName: string, uid: string): string {
  return `virt-launcher-${vmiName}-`.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH) + nameSuffix(uid);
}
