/** Why a guest is not woken from its state, as errors that name the reason. */
import { type HibernationRefusal, refusalText } from '@podvisor/api';
import { StateDamaged } from '@podvisor/storage';
import { LauncherError } from '../launcher-error.ts';

export function refusal(reason: HibernationRefusal, why: string): LauncherError {
  return new LauncherError(refusalText(reason, why));
}

/** A damaged state is told as such; any other failure as it is, and tried again. */
export function damaged(error: unknown): unknown {
  return error instanceof StateDamaged ? refusal('StateDamaged', error.message) : error;
}
