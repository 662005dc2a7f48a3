/** Conditions that replica sets and pools have in common. Pure. */
import { type Condition, removeCondition, setCondition } from '../conditions.ts';

export interface ReplicaState {
  readonly paused: boolean;
  /** Why the last pass could not do its work. */
  readonly failure?: {
    readonly reason: 'FailedCreate' | 'FailedDelete' | 'FailedUpdate';
    readonly message: string;
  };
}

export function replicaConditions(
  old: readonly Condition[],
  { failure, paused }: ReplicaState,
  nowMs: number,
): readonly Condition[] {
  const settled = paused
    ? setCondition(
        old,
        { type: 'ReplicaPaused', status: 'True', reason: 'Paused', message: 'Controller got paused' },
        nowMs,
      )
    : removeCondition(old, 'ReplicaPaused');
  return failure === undefined
    ? removeCondition(settled, 'ReplicaFailure')
    : setCondition(settled, { type: 'ReplicaFailure', status: 'True', ...failure }, nowMs);
}
