/**
 * Which kinds are encrypted in the store and with which keys: Kubernetes' EncryptionConfiguration
 * (apiserver.config.k8s.io/v1) with the providers `aesgcm` (keys of 32 bytes) and `identity`. To change a
 * key, put a new one first and restart: everything is written again with it, and the old one may go.
 */
import { randomBytes } from 'node:crypto';
import { arrayAt, asString, at, type Json, stringAt } from '../wire/json.ts';
import { parseYaml } from '../wire/yaml.ts';
import type { EncryptionKey, EncryptionRule } from '@podvisor/store';

const KEY_BYTES = 32;

/** Secrets with one fresh key, named after itself so that nobody takes another for it. */
export function newEncryptionConfiguration(): string {
  const name = `key-${randomBytes(4).toString('hex')}`;
  return `# Keys of what is encrypted in store.db. Keep a copy apart from copies of the store: without it they cannot be read.
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - aesgcm:
      keys:
      - name: ${name}
        secret: ${randomBytes(KEY_BYTES).toString('base64')}
  - identity: {}
`;
}

/** Throws an error that says what is wrong with the text. */
export function parseEncryptionConfiguration(text: string): readonly EncryptionRule[] {
  const configuration: Json = parseYaml(text).value;
  if (stringAt(configuration, 'kind') !== 'EncryptionConfiguration')
    throw new Error('an encryption configuration must be an object of kind EncryptionConfiguration');
  return arrayAt(configuration, 'resources').flatMap((entry, i) => {
    const providers = arrayAt(entry, 'providers');
    const keys = providers.flatMap((provider, j) => keysOf(provider, `resources[${i}].providers[${j}]`));
    if (providers.length === 0) throw new Error(`resources[${i}].providers needs at least one provider`);
    const writesPlain = at(providers[0], 'identity') !== undefined;
    return arrayAt(entry, 'resources').map((resource) => ({
      collection: collectionOf(asString(resource)),
      keys,
      writesPlain,
    }));
  });
}

function keysOf(provider: Json, path: string): EncryptionKey[] {
  if (at(provider, 'identity') !== undefined) return [];
  const keys = arrayAt(provider, 'aesgcm', 'keys').map((key, i) => {
    const name = stringAt(key, 'name');
    const secret = Buffer.from(stringAt(key, 'secret'), 'base64');
    if (!/^[\w.-]+$/.test(name)) throw new Error(`${path}.aesgcm.keys[${i}].name must be a word`);
    if (secret.length !== KEY_BYTES)
      throw new Error(`${path}.aesgcm.keys[${i}].secret must be ${KEY_BYTES} bytes in base64`);
    return { name, secret };
  });
  if (keys.length === 0) throw new Error(`${path} must be identity, or aesgcm with at least one key`);
  return keys;
}

/** `secrets` → `/secrets`, `virtualmachines.kubevirt.io` → `kubevirt.io/virtualmachines`, `*.*` → `*`. */
function collectionOf(resource: string): string {
  if (resource === '*.*') return '*';
  const [plural = '', ...group] = resource.split('.');
  return `${group.join('.')}/${plural}`;
}
