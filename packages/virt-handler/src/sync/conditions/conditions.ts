/** The conditions that virt-handler owns, and how a list of them is changed without touching the others. */
import type { DomainState, VMICondition } from '@podvisor/api';

/** A condition that should be there, or (undefined) should not. */
export type WantedCondition = Omit<VMICondition, 'lastTransitionTime' | 'lastProbeTime'>;

export const SYNC_FAILED_REASON = 'Synchronizing with the Domain failed.';

/** The list with `type` as wanted. Times change only when the status does. */
export function withCondition(
  conditions: readonly VMICondition[],
  type: string,
  wanted: Omit<WantedCondition, 'type'> | undefined,
  now: string,
): readonly VMICondition[] {
  const index = conditions.findIndex((c) => c.type === type);
  if (wanted === undefined) return index < 0 ? conditions : conditions.toSpliced(index, 1);
  const old = conditions[index];
  const isSame = old?.status === wanted.status && old.reason === wanted.reason;
  // The first message of a reason stays: clients see what went wrong first.
  if (isSame) return conditions;
  const condition = { type, ...wanted, lastProbeTime: now, lastTransitionTime: now };
  return index < 0 ? [...conditions, condition] : conditions.with(index, condition);
}

/** As `withCondition`, for a condition whose message is a list that must be up to date. */
export function withVerdict(
  conditions: readonly VMICondition[],
  type: string,
  wanted: Omit<WantedCondition, 'type'>,
  now: string,
): readonly VMICondition[] {
  const changed = withCondition(conditions, type, wanted, now);
  const { message } = wanted;
  return changed.map((c) => (c.type === type && c.message !== message ? { ...c, message } : c));
}

/** `Paused`, with the words that clients look for. */
export function pausedCondition(domain: DomainState): Omit<WantedCondition, 'type'> | undefined {
  if (domain.state !== 'Paused') return undefined;
  const { migration } = domain;
  if (migration?.role === 'source' && migration.mode === 'Paused' && migration.completed !== true)
    return paused('PausedByMigrationMonitor', 'VMI was paused by the migration monitor');
  switch (domain.reason) {
    case 'User':
      return paused('PausedByUser', 'VMI was paused by user');
    case 'IOError':
    case 'PausedIOError':
      return paused('PausedIOError', `VMI was paused, low-level IO error detected${troubles(domain)}`);
    default:
      return undefined;
  }
}

/** Which disks, and why; the guest goes on by itself when they can be written again. */
function troubles({ diskTroubles = [] }: DomainState): string {
  const texts = diskTroubles.map(({ volume, reason }) =>
    reason === 'no-space' ? `no space left for volume ${volume}` : `volume ${volume} cannot be written`,
  );
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`;
}

function paused(reason: string, message: string): Omit<WantedCondition, 'type'> {
  return { status: 'True', reason, message };
}
