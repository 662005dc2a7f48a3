/**
 * How trouble with an image is told, as kubelets do: the failure itself, then that the next try is waited for,
 * and so on in turn, with growing waits. Pure.
 */
import { backoffMs } from '@podvisor/base';
import type { ContainerProblem } from './types.ts';

const BACKOFF = { firstMs: 10_000, maxMs: 300_000 };
/** How long the failure is told: clients that look once a second see it. */
const TOLD_MS = 5_000;

export interface ToldEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** After another try that failed. */
export function pullFailed(
  before: ContainerProblem | undefined,
  image: string,
  message: string,
  nowMs: number,
): ContainerProblem {
  const failures = (before?.failures ?? 0) + 1;
  return {
    reason: 'ErrImagePull',
    message,
    failures,
    retryAtMs: nowMs + backoffMs(failures, BACKOFF),
    backOff: { image, atMs: nowMs + TOLD_MS },
  };
}

/** The same problem, while the next try is waited for. */
export function backedOff({ backOff, ...problem }: ContainerProblem): ContainerProblem {
  if (backOff === undefined) return problem;
  return {
    ...problem,
    reason: 'ImagePullBackOff',
    message: `Back-off pulling image "${backOff.image}": ErrImagePull: ${problem.message}`,
  };
}

export function failedEvents(message: string): readonly ToldEvent[] {
  return [
    { type: 'Warning', reason: 'Failed', message },
    { type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' },
  ];
}

export function backOffEvents(image: string): readonly ToldEvent[] {
  return [
    { type: 'Normal', reason: 'BackOff', message: `Back-off pulling image "${image}"` },
    { type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff' },
  ];
}
