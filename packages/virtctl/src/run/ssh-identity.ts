/**
 * Whose SSH key signs in. `podvisor run` gives a guest the user's own public key, and where he has none one that the home
 * keeps; `virtctl ssh` and `scp` must then find the same key, or who has no key could sign in only once.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Public keys that people usually have, the one that counts first. */
export const usualPublicKeys = (userHome: string): readonly string[] =>
  ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => join(userHome, '.ssh', `${name}.pub`));

/** The private key that a home keeps for its guests; beside its kubeconfig. */
export const homeKey = (home: string): string => join(home, 'ssh', 'id_ed25519');

/** The key of the home whose kubeconfig is used, for who has none of his own; undefined leaves it to ssh. */
export function identityOfHome(kubeconfigs: readonly string[], userHome: string): string | undefined {
  if (usualPublicKeys(userHome).some((file) => existsSync(file))) return undefined;
  return kubeconfigs.map((path) => homeKey(dirname(path))).find((file) => existsSync(file));
}
