/**
 * Whose turn it is: limits per cluster and per node that guests leave, priorities, and the pause after failures.
 * Pure. A migration that has a target Pod counts as active until it ends.
 */
import { memberOf } from '@podvisor/base';
import {
  annotations,
  isFinalMigrationPhase,
  type MigrationDefaults,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';

type Migration = VirtualMachineInstanceMigration;

/** What is known of a migration that has not ended. */
export interface Candidate {
  readonly migration: Migration;
  /** Where its guest runs; undefined while that is not known. */
  readonly sourceNode: string | undefined;
  /** It has a target Pod, or is about to. */
  readonly active: boolean;
  /** It may not start yet, whatever is free. */
  readonly held: boolean;
}

type Limits = Pick<MigrationDefaults, 'parallelMigrationsPerCluster' | 'parallelOutboundMigrationsPerNode'>;

const PRIORITIES: Readonly<Record<string, number>> = {
  'system-critical': 100,
  'user-triggered': 50,
  'system-maintenance': 20,
};

/** What nobody gave a priority was asked for by a person. */
function priorityOf({ spec }: Migration): number {
  return memberOf(PRIORITIES, spec.priority ?? 'user-triggered') ?? 0;
}

/** Higher priority first, then who has waited longest. */
function inOrder(a: Migration, b: Migration): number {
  const age = (m: Migration): string => `${m.metadata?.creationTimestamp ?? ''} ${m.metadata?.uid ?? ''}`;
  return priorityOf(b) - priorityOf(a) || (age(a) < age(b) ? -1 : 1);
}

/** UIDs of those that may start now. A full node holds up its own guests only. */
export function mayStart(candidates: readonly Candidate[], limits: Limits): ReadonlySet<string> {
  const active = candidates.filter(({ active }) => active);
  let free = limits.parallelMigrationsPerCluster - active.length;
  const leaving = new Map<string | undefined, number>();
  const count = (node: string | undefined): number => leaving.get(node) ?? 0;
  for (const { sourceNode } of active) leaving.set(sourceNode, count(sourceNode) + 1);
  const started = new Set<string>();
  const waiting = candidates.filter(({ active, held }) => !active && !held);
  for (const { migration, sourceNode } of waiting.toSorted((a, b) => inOrder(a.migration, b.migration))) {
    if (free <= 0) break;
    if (count(sourceNode) >= limits.parallelOutboundMigrationsPerNode) continue;
    started.add(migration.metadata?.uid ?? '');
    leaving.set(sourceNode, count(sourceNode) + 1);
    free -= 1;
  }
  return started;
}

const FIRST_PAUSE_MS = 20_000;

/** Made by a controller that would make another one at once when it fails. */
function backsOff({ metadata }: Migration): boolean {
  const own = metadata?.annotations ?? {};
  return annotations.evacuationMigration in own || annotations.workloadUpdateMigration in own;
}

/**
 * Milliseconds that a migration still has to wait because the last ones of its VMI failed one after the other:
 * 20 s, doubled with each. What a person asked for never waits.
 */
export function pauseMs(migration: Migration, siblings: readonly Migration[], nowMs: number): number {
  if (!backsOff(migration)) return 0;
  const ended = siblings
    .filter((other) => backsOff(other) && isFinalMigrationPhase(other.status?.phase))
    .toSorted((a, b) => endedMs(b) - endedMs(a));
  const firstGood = ended.findIndex(({ status }) => status?.phase === 'Succeeded');
  const failures = firstGood === -1 ? ended.length : firstGood;
  const [last] = ended;
  if (failures === 0 || last === undefined) return 0;
  return Math.max(0, endedMs(last) + FIRST_PAUSE_MS * 2 ** (failures - 1) - nowMs);
}

/** When a migration reached its last phase. */
export function endedMs({ status, metadata }: Migration): number {
  const stamp = status?.phaseTransitionTimestamps?.find(({ phase }) => phase === status.phase);
  return Date.parse(stamp?.phaseTransitionTimestamp ?? metadata?.creationTimestamp ?? '') || 0;
}
