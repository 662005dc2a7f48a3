/** What the kubelet remembers of a Pod between two syncs. Losing it costs a retry, nothing else. */
import { backoffMs, type BackoffOptions } from '@podvisor/base';
import type { WrittenStatus } from './status-writer.ts';
import type { MountedVolume } from '../volumes/types.ts';
import type { ContainerProblem } from './types.ts';

export class PodMemory {
  readonly problems = new Map<string, ContainerProblem>();
  setUpProblem: ContainerProblem | undefined;
  volumes: ReadonlyMap<string, MountedVolume> | undefined;
  /** When projected volumes were last compared with the API. */
  volumesAtMs = Number.NEGATIVE_INFINITY;
  /** Labels and annotations that they showed then. */
  volumesShow = '';
  /** The further networks that were desired when they were last made. */
  networks: string | undefined;
  lastWritten: WrittenStatus | undefined;
  /** Ends waiting for images when the Pod is deleted. */
  readonly ending = new AbortController();
}

/** The next problem after `before`: the same trouble again waits longer. */
export function problemAfter(
  before: ContainerProblem | undefined,
  reason: string,
  message: string,
  nowMs: number,
  backoff: BackoffOptions,
): ContainerProblem {
  const failures = (before?.failures ?? 0) + 1;
  return { reason, message, failures, retryAtMs: nowMs + backoffMs(failures, backoff) };
}
