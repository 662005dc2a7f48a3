/** What a namespace that is being deleted says about itself. Pure. */
import type { Condition, Namespace } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';

/** What is left of one resource in the namespace. */
export interface Remaining {
  /** `plural.group`; a core resource ends with the dot. */
  readonly resource: string;
  readonly count: number;
  /** Finalizers of the objects that are left, each with the number of objects. */
  readonly finalizers: Readonly<Record<string, number>>;
}

export const FINALIZER = 'kubernetes';

/** Conditions in Kubernetes' words; undefined when the namespace says all that already. */
export function deletionConditions(
  namespace: Namespace,
  remaining: readonly Remaining[],
  failures: readonly string[],
  undiscovered: readonly string[],
  now: number,
): readonly Condition[] | undefined {
  const left = remaining.filter(({ count }) => count > 0);
  const wanted: readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[] = [
    undiscovered.length === 0
      ? {
          type: 'NamespaceDeletionDiscoveryFailure',
          status: 'False',
          reason: 'ResourcesDiscovered',
          message: 'All resources successfully discovered',
        }
      : {
          type: 'NamespaceDeletionDiscoveryFailure',
          status: 'True',
          reason: 'DiscoveryFailed',
          message: `Discovery failed for some groups, ${undiscovered.length} failing: ${undiscovered.join(', ')}`,
        },
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      status: 'False',
      reason: 'ParsedGroupVersions',
      message: 'All legacy kube types successfully parsed',
    },
    failures.length === 0
      ? {
          type: 'NamespaceDeletionContentFailure',
          status: 'False',
          reason: 'ContentDeleted',
          message: 'All content successfully deleted, may be waiting on finalization',
        }
      : {
          type: 'NamespaceDeletionContentFailure',
          status: 'True',
          reason: 'ContentDeletionFailed',
          message: `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`,
        },
    left.length === 0
      ? {
          type: 'NamespaceContentRemaining',
          status: 'False',
          reason: 'ContentRemoved',
          message: 'All content successfully removed',
        }
      : {
          type: 'NamespaceContentRemaining',
          status: 'True',
          reason: 'SomeResourcesRemain',
          message: `Some resources are remaining: ${left.map(({ resource, count }) => `${resource} has ${count} resource instances`).join(', ')}`,
        },
    finalizersCondition(left),
  ];
  const old = namespace.status?.conditions ?? [];
  const conditions = wanted.map((condition): Condition => {
    const before = old.find(({ type }) => type === condition.type);
    const same = before?.status === condition.status;
    return {
      ...condition,
      lastTransitionTime:
        same && before.lastTransitionTime !== undefined ? before.lastTransitionTime : rfc3339(now),
    };
  });
  const unchanged = conditions.every((condition) =>
    old.some(
      ({ type, status, reason, message }) =>
        type === condition.type &&
        status === condition.status &&
        reason === condition.reason &&
        message === condition.message,
    ),
  );
  return unchanged
    ? undefined
    : [...old.filter(({ type }) => !wanted.some((condition) => condition.type === type)), ...conditions];
}

function finalizersCondition(
  left: readonly Remaining[],
): Pick<Condition, 'type' | 'status' | 'reason' | 'message'> {
  const totals = new Map<string, number>();
  for (const { finalizers } of left) {
    for (const [name, count] of Object.entries(finalizers)) totals.set(name, (totals.get(name) ?? 0) + count);
  }
  const type = 'NamespaceFinalizersRemaining';
  if (totals.size === 0) {
    return {
      type,
      status: 'False',
      reason: 'ContentHasNoFinalizers',
      message: 'All content-preserving finalizers finished',
    };
  }
  const list = [...totals]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} in ${count} resource instances`);
  return {
    type,
    status: 'True',
    reason: 'SomeFinalizersRemain',
    message: `Some content in the namespace has finalizers remaining: ${list.join(', ')}`,
  };
}
