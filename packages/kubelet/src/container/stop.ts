/** Ending a container: preStop hook, then SIGTERM (or the image's signal), and SIGKILL when its time is up. */
import { runcKill } from '@podvisor/sys';
import type { KubeletContext } from '../context.ts';
import { writeContainerRecord } from '../pod/records.ts';
import type { ContainerRun } from '../pod/types.ts';

export interface StopRequest {
  readonly run: ContainerRun;
  readonly graceSeconds: number;
  readonly reason: string;
  /** Runs before the signal and counts against the grace period; its failure is told but stops nothing. */
  readonly preStop: (() => Promise<void>) | undefined;
}

/**
 * Begins the end of a container and returns; its exit wakes the Pod's worker, and the record says when to
 * kill it. The signal follows the hook in the background.
 */
export async function stopRun(context: KubeletContext, request: StopRequest): Promise<void> {
  const { run, graceSeconds, reason, preStop } = request;
  const nowMs = context.clock.now();
  const killAtMs = nowMs + graceSeconds * 1000;
  writeContainerRecord(context, { ...run.record, stopping: { sinceMs: nowMs, killAtMs, reason } });
  if (graceSeconds <= 0) return await killRun(context, run);
  if (preStop === undefined) return await runcKill(context.runcRoot, run.record.id, 'TERM');
  void preStop()
    .catch((error: unknown) =>
      context.log.warn({ container: run.record.name, error: String(error) }, 'preStop hook failed'),
    )
    .then(() => runcKill(context.runcRoot, run.record.id, 'TERM'))
    .catch((error: unknown) =>
      context.log.warn({ container: run.record.name, error: String(error) }, 'signal failed'),
    );
}

/** Ends it now. In a process namespace of its own everything dies with the first process. */
export async function killRun(context: KubeletContext, run: ContainerRun): Promise<void> {
  await runcKill(context.runcRoot, run.record.id, 'KILL', run.record.hostPid === true ? 'all' : 'first');
}
