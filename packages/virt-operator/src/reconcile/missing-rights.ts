/**
 * What virt-operator may not read of all that it follows. It is asked before it follows anything: a cache of a kind that
 * may not be listed waits for ever, and nobody would learn why nothing is installed. An image of another version than
 * the manifest with its rights is the usual reason.
 */
import { isStatus, messageOf } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import type { Followed } from './caches.ts';

/** A sentence with the way out; undefined: everything may be read. */
export async function missingRights(
  client: Pick<KubeClient, 'list'>,
  followed: readonly Followed[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const refusals = await Promise.all(
    followed.map(async ({ resource, ...scope }) => {
      try {
        await client.list(resource, { ...scope, limit: 1 }, signal);
        return undefined;
      } catch (error) {
        // Whatever else is wrong the caches meet themselves, and try again.
        return isStatus(error, 'Forbidden') ? messageOf(error) : undefined;
      }
    }),
  );
  const refused = refusals.find((refusal) => refusal !== undefined);
  return refused === undefined
    ? undefined
    : `virt-operator may not see what it installs: ${refused}. Apply the manifest of virt-operator (deploy/operator.yaml) of this version again`;
}
