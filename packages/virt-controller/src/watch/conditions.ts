/**
 * Lists of conditions as values: every function gives a new list, or the very same one when nothing
 * changes, so that a caller can see at a glance whether a write is due.
 */
import type { VMICondition } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';

export type Condition = VMICondition;
type Conditions = readonly Condition[];

/** The condition of this type, if any. */
export function findCondition(conditions: Conditions | undefined, type: string): Condition | undefined {
  return conditions?.find((c) => c.type === type);
}

/** True when the condition exists with this status (and reason, if given). */
export function hasCondition(
  conditions: Conditions | undefined,
  type: string,
  status: string,
  reason?: string,
): boolean {
  const found = findCondition(conditions, type);
  return found?.status === status && (reason === undefined || found.reason === reason);
}

/** Adds or replaces a condition. `lastTransitionTime` moves only when the status does. */
export function setCondition(
  conditions: Conditions,
  next: {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
    readonly message?: string;
  },
  nowMs: number,
): Conditions {
  const old = findCondition(conditions, next.type);
  if (
    old !== undefined &&
    old.status === next.status &&
    old.reason === next.reason &&
    old.message === next.message
  ) {
    return conditions;
  }
  const lastTransitionTime =
    old?.status === next.status && typeof old.lastTransitionTime === 'string'
      ? old.lastTransitionTime
      : rfc3339(nowMs);
  const built: Condition = { ...next, lastTransitionTime };
  return old === undefined ? [...conditions, built] : conditions.map((c) => (c === old ? built : c));
}

/** Removes the condition of this type. */
export function removeCondition(conditions: Conditions, type: string): Conditions {
  return conditions.some((c) => c.type === type) ? conditions.filter((c) => c.type !== type) : conditions;
}
