/** The mounted secrets of access credentials: read, and watched for the kubelet's swap of their contents. */
import { readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** A Secret is at most 1 MiB; anything larger is not one. */
const MAX_SECRET_BYTES = 1024 * 1024;

export interface Secrets {
  read(secretName: string): Readonly<Record<string, string>>;
  /** Calls `onChange` after each swap, until disposed. */
  watch(secretName: string, onChange: () => void): Disposable;
}

/** `directoryOf`: where the Pod mounts a secret. */
export function mountedSecrets(directoryOf: (secretName: string) => string): Secrets {
  return {
    read: (secretName) => {
      const directory = directoryOf(secretName);
      // `..data` and its like are how the kubelet swaps versions of a secret.
      const names = readdirSync(directory).filter((name) => !name.startsWith('..'));
      return Object.fromEntries(names.toSorted().map((name) => [name, bounded(join(directory, name))]));
    },
    watch: (secretName, onChange) => {
      const watcher = watch(directoryOf(secretName), { persistent: false }, onChange);
      return { [Symbol.dispose]: () => watcher.close() };
    },
  };
}

function bounded(path: string): string {
  if (statSync(path).size > MAX_SECRET_BYTES)
    throw new Error(`${path} is larger than ${MAX_SECRET_BYTES} bytes`);
  return readFileSync(path, 'utf8');
}
