/** Templates of a DaemonSet or StatefulSet as ControllerRevisions, as `kubectl rollout history` reads them. */
import { isStatus } from '@podvisor/base';
import type { Informer, KubeClient, Resource } from '@podvisor/kube';
import { controlledBy, controllerOf } from './ownership.ts';
import { workloads } from './resources.ts';
import { canonical, contentHash, withoutHash } from './template-hash.ts';
import type { Revision, Workload } from './types.ts';

export const REVISION_LABEL = 'controller-revision-hash';

/** The template of today as the patch that brings it back. */
export function revisionData(owner: Workload): unknown {
  return { spec: { template: { ...withoutHash(owner.spec.template), $patch: 'replace' } } };
}

/** Revisions of the owner, oldest first. */
export function revisionsOf(revisions: Informer<Revision>, owner: Workload): Revision[] {
  return revisions
    .byIndex('owner', owner.metadata.uid ?? '')
    .filter((revision) => controllerOf(revision)?.uid === owner.metadata.uid)
    .toSorted((a, b) => a.revision - b.revision);
}

export interface HistoryOptions<T extends Workload> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly revisions: Informer<Revision>;
}

/** The revision of today's template, made or given the highest number if needed; `hash` labels its Pods. */
export async function currentRevision<T extends Workload>(
  { client, resource, revisions }: HistoryOptions<T>,
  owner: T,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly hash: string }> {
  const history = revisionsOf(revisions, owner);
  const data = revisionData(owner);
  const highest = history.at(-1)?.revision ?? 0;
  const found = history.find((revision) => canonical(revision.data) === canonical(data));
  if (found !== undefined) {
    if (found.revision < highest) {
      const key = { namespace: owner.metadata.namespace, name: found.metadata.name ?? '' };
      await client.patch(
        workloads.revisions,
        key,
        { type: 'merge', body: { revision: highest + 1 } },
        signal,
      );
    }
    return namesOf(found);
  }
  const hash = contentHash(data);
  const labels = { ...owner.spec.template.metadata?.labels, [REVISION_LABEL]: hash };
  const made: Revision = {
    metadata: {
      namespace: owner.metadata.namespace,
      name: `${owner.metadata.name}-${hash}`,
      labels,
      annotations: owner.metadata.annotations,
      ownerReferences: [controlledBy(resource, owner)],
    },
    data,
    revision: highest + 1,
  };
  try {
    await client.create(workloads.revisions, made, {}, signal);
  } catch (error) {
    // Ours, and the cache does not show it yet.
    if (!isStatus(error, 'AlreadyExists')) throw error;
  }
  return namesOf(made);
}

/** Deletes the oldest revisions beyond the limit that no Pod carries. */
export async function expireRevisions<T extends Workload>(
  { client, revisions }: HistoryOptions<T>,
  owner: T,
  inUse: ReadonlySet<string>,
  limit: number,
  signal: AbortSignal,
): Promise<void> {
  const idle = revisionsOf(revisions, owner).filter((revision) => !inUse.has(namesOf(revision).hash));
  for (const { metadata } of idle.slice(0, Math.max(0, idle.length - limit))) {
    const key = { namespace: metadata.namespace, name: metadata.name ?? '' };
    await client.delete(workloads.revisions, key, {}, signal).catch((error: unknown) => {
      if (!isStatus(error, 'NotFound')) throw error;
    });
  }
}

function namesOf({ metadata }: Revision): { readonly name: string; readonly hash: string } {
  return { name: metadata.name ?? '', hash: metadata.labels?.[REVISION_LABEL] ?? '' };
}
