/** Ending a container: preStop hook, then SIGTERM (or the image's signal), and SIGKILL when its time is up. */
import { runcKill, signalProcess } from '@podvisor/sys';
import type { KubeletContext } from '../context.ts';
import { bootId, writeContainerRecord } from '../pod/records.ts';
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
  if (preStop === undefined) return await signalFirst(context, run, 'TERM');
  void preStop()
    .catch((error: unknown) =>
      context.log.warn({ container: run.record.name, error: String(error) }, 'preStop hook failed'),
    )
    .then(() => signalFirst(context, run, 'TERM'))
    .catch((error: unknown) =>
      context.log.warn({ container: run.record.name, error: String(error) }, 'signal failed'),
    );
}

/** Ends it now. In a process namespace of its own everything dies with the first process. */
export async function killRun(context: KubeletContext, run: ContainerRun): Promise<void> {
  if (run.record.hostPid === true) await runcKill(context.runcRoot, run.record.id, 'KILL', 'all');
  else await signalFirst(context, run, 'KILL');
}

/** The record names the first process for ever; only one that a crash left unfinished needs runc to find it. */
async function signalFirst(
  { runcRoot }: KubeletContext,
  { record }: ContainerRun,
  signal: 'TERM' | 'KILL',
): Promise<void> {
  const { id, pid, startTicks = '' } = record;
  if (pid === undefined || startTicks === '' || record.bootId !== bootId)
    await runcKill(runcRoot, id, signal, 'first');
  else signalProcess(pid, startTicks, `SIG${signal}`);
}
