/** Writes a Pod's status when it changed: one strategic patch, so that conditions of others stay. */
import type { Condition, Pod, PodStatus } from '@podvisor/api';
import { deepEqual, isStatus } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import type { KubeletClient } from '../client.ts';

/** Fields that must vanish from the API when they vanish from the status. */
const FIELDS = [
  ...([
    'phase',
    'conditions',
    'reason',
    'message',
    'hostIP',
    'hostIPs',
    'podIP',
    'podIPs',
    'startTime',
  ] as const),
  ...(['initContainerStatuses', 'containerStatuses', 'qosClass'] as const),
] satisfies readonly (keyof PodStatus)[];

/** What to send to get from `before` to `after`; undefined: nothing changed. Pure. */
export function statusPatch(
  before: PodStatus | undefined,
  after: PodStatus,
): Readonly<Record<string, unknown>> | undefined {
  const patch: Record<string, unknown> = {};
  for (const field of FIELDS) {
    if (field === 'conditions') {
      const changed = (after.conditions ?? []).flatMap((c) => changedCondition(c, before));
      if (changed.length > 0) patch['conditions'] = changed;
    } else if (!deepEqual(before?.[field], after[field])) {
      patch[field] =
        after[field] === undefined ? null : field === 'podIPs' ? podIps(before, after) : after[field];
    }
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** The condition as a merge must send it: words that no longer apply must be taken back by name. */
function changedCondition(condition: Condition, before: PodStatus | undefined): readonly object[] {
  const old = before?.conditions?.find((b) => b.type === condition.type);
  if (deepEqual(strip(condition), strip(old ?? {}))) return [];
  const gone = (field: 'reason' | 'message'): object =>
    old?.[field] !== undefined && condition[field] === undefined ? { [field]: null } : {};
  return [{ ...condition, ...gone('reason'), ...gone('message') }];
}

function strip(condition: object): object {
  return { ...condition, lastProbeTime: undefined };
}

/** The list is merged by address: one that is gone must be named. */
function podIps(before: PodStatus | undefined, after: PodStatus): readonly object[] {
  const now = after.podIPs ?? [];
  const gone = (before?.podIPs ?? []).filter(({ ip }) => !now.some((n) => n.ip === ip));
  return [...now, ...gone.map(({ ip }) => ({ ip, $patch: 'delete' }))];
}

/** A status that we wrote, and the version of the Pod that has it. */
export interface WrittenStatus {
  readonly status: PodStatus;
  readonly resourceVersion: string | undefined;
}

/**
 * The Pod as the API will show it once our last write has come back through the watch. A condition that somebody
 * changed since then (a node that was silent has Pods that are not ready) is seen as it is, so that it is put right.
 */
export function withLastWritten(pod: Pod, written: WrittenStatus | undefined): Pod {
  if (written === undefined) return pod;
  const shown = pod.status?.conditions ?? [];
  const isNewer =
    written.resourceVersion !== undefined &&
    Number(pod.metadata.resourceVersion ?? 0) > Number(written.resourceVersion);
  const ours = (written.status.conditions ?? []).map((condition) => {
    const now = isNewer ? shown.find(({ type }) => type === condition.type) : undefined;
    return now === undefined || now.status === condition.status ? condition : now;
  });
  const others = shown.filter((c) => !ours.some((o) => o.type === c.type));
  return { ...pod, status: { ...pod.status, ...written.status, conditions: [...ours, ...others] } };
}

/** Sends the patch and returns the new version of the Pod. A Pod that is gone or was replaced by one of the same name is none of our business. */
export async function writeStatus(
  client: KubeletClient,
  pod: Pod,
  patch: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { namespace, name = '', uid } = pod.metadata;
  try {
    const written = await client.patch(
      resources.pods,
      { namespace, name },
      { type: 'strategic', subresource: 'status', body: { metadata: { uid }, status: patch } },
    );
    return written.metadata.resourceVersion;
  } catch (error) {
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
    return undefined;
  }
}
