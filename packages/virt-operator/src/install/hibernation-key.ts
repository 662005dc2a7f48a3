/**
 * The key that states of hibernated guests are encrypted with. Made once and never changed: with another one no state
 * could be woken. One that somebody made by hand stays theirs. Ours goes with the installation, when no guest is left.
 */
import { randomBytes } from 'node:crypto';
import type { KubernetesObject } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import type { Manifest } from './manifest.ts';
import { nameOf } from './ownership.ts';
import { resourceOf } from './resource-of.ts';

export const HIBERNATION_KEY = { secret: 'podvisor-hibernation-key', file: 'key' } as const;
const KEY_BYTES = 32;

/** The one of ours among what is there: wanted as it is. */
export function hibernationKeyIn(
  live: ReadonlyMap<string, KubernetesObject>,
  namespace: string,
): readonly Manifest[] {
  const found = live.get(nameOf(secretIn(namespace)));
  return found === undefined ? [] : [found as Manifest];
}

/** Before virt-api is started: its Pods mount the key when they start. Idempotent. `mark`: makes it ours. */
export async function ensureHibernationKey(
  client: Pick<KubeClient, 'find' | 'create'>,
  namespace: string,
  mark: (object: Manifest) => Manifest,
  signal: AbortSignal,
): Promise<void> {
  const secret = secretIn(namespace);
  const resource = resourceOf(secret);
  if ((await client.find(resource, { namespace, name: HIBERNATION_KEY.secret }, signal)) !== undefined)
    return;
  const key = randomBytes(KEY_BYTES).toString('base64');
  const made = { ...mark(secret), type: 'Opaque', immutable: true, data: { [HIBERNATION_KEY.file]: key } };
  await client.create(resource, made as KubernetesObject, {}, signal).catch((error: unknown) => {
    if (!isStatus(error, 'AlreadyExists')) throw error; // another was faster, and its key is as good
  });
}

function secretIn(namespace: string): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: HIBERNATION_KEY.secret, namespace } };
}
