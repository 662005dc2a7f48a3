/** Carries out a plan by server-side apply. Idempotent. Never takes over an object that somebody else made. */
import type { KubernetesObject } from '@podvisor/api';
import { isStatus, messageOf, StatusError } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import type { Manifest } from '../install/manifest.ts';
import { isOwned, nameOf } from '../install/ownership.ts';
import { resourceOf } from '../install/resource-of.ts';
import type { AppliedObjects } from './applied-objects.ts';

export const FIELD_MANAGER = 'virt-operator';

/** Something stands in the way that only people can change. */
export class BlockedError extends Error {
  override readonly name = 'BlockedError';
  /** One word, for the condition. */
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** An object could not be written for now; the message names it. */
export class ApplyError extends Error {
  override readonly name = 'ApplyError';
}

export type ApplyClient = Pick<KubeClient, 'find' | 'patch' | 'delete'>;

/** Objects of one kind side by side, kinds one after the other. */
export async function applyAll(
  client: ApplyClient,
  objects: readonly Manifest[],
  live: ReadonlyMap<string, KubernetesObject>,
  namespace: string,
  applied: Pick<AppliedObjects, 'note'>,
  signal: AbortSignal,
): Promise<void> {
  const kinds = Map.groupBy(objects, ({ kind }) => kind);
  for (const batch of kinds.values())
    await Promise.all(
      batch.map(async (object) =>
        applied.note(object, await applyOne(client, object, live, namespace, signal)),
      ),
    );
}

async function applyOne(
  client: ApplyClient,
  object: Manifest,
  live: ReadonlyMap<string, KubernetesObject>,
  namespace: string,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  const resource = resourceOf(object);
  const { name = '', namespace: where } = object.metadata ?? {};
  const key = { namespace: where, name };
  try {
    if (!live.has(nameOf(object))) {
      const found = await client.find(resource, key, signal);
      if (found !== undefined && !isOwned(found, namespace)) throw foreign(object, found);
    }
    return await client.patch(
      resource,
      key,
      { type: 'apply', body: object, fieldManager: FIELD_MANAGER, force: true },
      signal,
    );
  } catch (error) {
    throw explained(error, object);
  }
}

function foreign(object: Manifest, found: KubernetesObject): BlockedError {
  const owner = found.metadata?.labels?.['app.kubernetes.io/managed-by'];
  const whose = owner === undefined ? 'somebody else' : `${owner} of another installation`;
  return new BlockedError(
    'ForeignObject',
    `${nameOf(object)} is there already and belongs to ${whose}; it is not touched. Uninstall what it belongs to (for KubeVirt: keep its VMs, which go with its KubeVirt object, then delete that and its virt-operator; docs/cluster-install.md), or delete it, and this goes on`,
  );
}

function explained(error: unknown, object: Manifest): unknown {
  if (isStatus(error, 'Forbidden'))
    return new BlockedError(
      'MissingPermissions',
      `${nameOf(object)} may not be written: ${messageOf(error)}. Apply the manifest of virt-operator (deploy/operator.yaml) of this version again`,
      { cause: error },
    );
  if (isStatus(error, 'Invalid') || isStatus(error, 'BadRequest'))
    return new BlockedError('DeploymentFailed', `${nameOf(object)} was refused: ${messageOf(error)}`, {
      cause: error,
    });
  if (error instanceof StatusError)
    return new ApplyError(`${nameOf(object)}: ${error.message}`, { cause: error });
  return error;
}

/** Deletes; what is gone already is fine. */
export async function removeAll(
  client: Pick<KubeClient, 'delete'>,
  objects: readonly KubernetesObject[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    objects.map(async (object) => {
      const { name = '', namespace } = object.metadata ?? {};
      try {
        await client.delete(
          resourceOf(object),
          { namespace, name },
          { propagationPolicy: 'Background' },
          signal,
        );
      } catch (error) {
        if (!isStatus(error, 'NotFound')) throw error;
      }
    }),
  );
}
