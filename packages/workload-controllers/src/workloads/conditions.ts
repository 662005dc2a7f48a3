/** Conditions in a status. Pure; what did not change keeps its time. */
import type { Condition } from '@podvisor/api';

export type ConditionDraft = Pick<Condition, 'type' | 'status'> & {
  readonly reason?: string;
  readonly message?: string;
};

/** The list with the draft in it; the very same list when nothing changed. */
export function withCondition<C extends Condition>(
  conditions: readonly C[],
  draft: ConditionDraft,
  now: string,
): readonly (C | Condition)[] {
  const old = conditions.find(({ type }) => type === draft.type);
  if (
    old !== undefined &&
    old.status === draft.status &&
    old.reason === draft.reason &&
    old.message === draft.message
  )
    return conditions;
  const lastTransitionTime = old?.status === draft.status ? old.lastTransitionTime : now;
  const changed = { ...draft, lastTransitionTime };
  return old === undefined ? [...conditions, changed] : conditions.map((c) => (c === old ? changed : c));
}

export function withoutCondition<C extends Condition>(conditions: readonly C[], type: string): readonly C[] {
  return conditions.some((c) => c.type === type) ? conditions.filter((c) => c.type !== type) : conditions;
}
