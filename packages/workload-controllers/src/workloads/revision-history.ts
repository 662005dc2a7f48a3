/** Templates of a DaemonSet or StatefulSet as ControllerRevisions, as `kubectl rollout history` reads them. */
import { isStatus } from '@podvisor/base';
import { type Informer, type KubeClient, type Resource, ignoreNotFound } from '@podvisor/kube';
import { controlledBy, managedBy } from './ownership.ts';
import { workloads } from './resources.ts';
import { canonical, contentHash, withoutHash } from './template-hash.ts';
import type { Revision, Workload } from './types.ts';

export const REVISION_LABEL = 'controller-revision-hash';

/** The template of today as the patch that brings it back. */
export function revisionData(owner: Workload): unknown {
  return { spec: { template: { ...withoutHash(owner.spec.template), $patch: 'replace' } } };
}

/** Revisions of the owner, oldest first. */
export function revisionsOf(
  revisions: Informer<Revision>,
  resource: Resource,
  owner: Workload,
): readonly Revision[] {
  return managedBy(revisions, resource, owner).toSorted((a, b) => a.revision - b.revision);
}

export interface RevisionPlan {
  readonly name: string;
  /** Labels the Pods of this revision. */
  readonly hash: string;
  /** What is to be written first: a new revision, or the highest number for one that is there. */
  readonly write:
    | { readonly kind: 'none' }
    | { readonly kind: 'create'; readonly revision: Revision }
    | { readonly kind: 'renumber'; readonly revision: number };
}

/** The revision of today's template. Pure. `history`: the owner's, oldest first. */
export function planRevision<T extends Workload>(
  resource: Resource<T>,
  owner: T,
  history: readonly Revision[],
): RevisionPlan {
  const data = revisionData(owner);
  const highest = history.at(-1)?.revision ?? 0;
  const found = history.find((revision) => canonical(revision.data) === canonical(data));
  if (found !== undefined)
    return {
      ...namesOf(found),
      write: found.revision < highest ? { kind: 'renumber', revision: highest + 1 } : { kind: 'none' },
    };
  const hash = contentHash(data);
  const made: Revision = {
    metadata: {
      namespace: owner.metadata.namespace,
      name: `${owner.metadata.name}-${hash}`,
      labels: { ...owner.spec.template.metadata?.labels, [REVISION_LABEL]: hash },
      annotations: owner.metadata.annotations,
      ownerReferences: [controlledBy(resource, owner)],
    },
    data,
    revision: highest + 1,
  };
  return { ...namesOf(made), write: { kind: 'create', revision: made } };
}

export async function writeRevision(
  client: KubeClient,
  { metadata: { namespace } }: Workload,
  { name, write }: RevisionPlan,
  signal: AbortSignal,
): Promise<void> {
  if (write.kind === 'renumber') {
    const patch = { type: 'merge', body: { revision: write.revision } } as const;
    await client.patch(workloads.revisions, { namespace, name }, patch, signal);
  } else if (write.kind === 'create') {
    try {
      await client.create(workloads.revisions, write.revision, {}, signal);
    } catch (error) {
      // Ours, and the cache does not show it yet.
      if (!isStatus(error, 'AlreadyExists')) throw error;
    }
  }
}

/** The oldest revisions beyond the limit that no Pod carries. Pure. `inUse`: hashes. */
export function surplusRevisions(
  history: readonly Revision[],
  inUse: ReadonlySet<string>,
  limit: number,
): readonly Revision[] {
  const idle = history.filter((revision) => !inUse.has(namesOf(revision).hash));
  return idle.slice(0, Math.max(0, idle.length - limit));
}

export async function deleteRevisions(
  client: KubeClient,
  revisions: readonly Revision[],
  signal: AbortSignal,
): Promise<void> {
  for (const { metadata } of revisions) {
    const key = { namespace: metadata.namespace, name: metadata.name ?? '' };
    await ignoreNotFound(client.delete(workloads.revisions, key, {}, signal));
  }
}

function namesOf({ metadata }: Revision): { readonly name: string; readonly hash: string } {
  return { name: metadata.name ?? '', hash: metadata.labels?.[REVISION_LABEL] ?? '' };
}
