/** Evidence of trouble in a VM's objects: conditions and container states that say why nothing moves. */
import { handoffsOf, type PipelineObjects } from './handoffs.ts';

export interface Trouble {
  readonly source: string;
  readonly reason: string;
  readonly message: string;
}

/** Everything that is wrong now, the most telling first. Empty while all goes well. */
export function troubleOf({ vm, vmi, pod }: PipelineObjects): readonly Trouble[] {
  const found: Trouble[] = [];
  for (const status of [
    ...(pod?.status?.initContainerStatuses ?? []),
    ...(pod?.status?.containerStatuses ?? []),
  ]) {
    const { waiting, terminated } = status.state ?? {};
    if (
      waiting !== undefined &&
      waiting.reason !== 'ContainerCreating' &&
      waiting.reason !== 'PodInitializing'
    )
      found.push({
        source: `container ${status.name}`,
        reason: waiting.reason ?? '',
        message: waiting.message ?? '',
      });
    if (terminated !== undefined && terminated.exitCode !== 0)
      found.push({
        source: `container ${status.name}`,
        reason: terminated.reason ?? 'Error',
        message: terminated.message ?? `exit code ${terminated.exitCode}`,
      });
  }
  const scheduled = pod?.status?.conditions?.find((c) => c.type === 'PodScheduled');
  if (scheduled?.status === 'False')
    found.push({ source: 'Pod', reason: scheduled.reason ?? '', message: scheduled.message ?? '' });
  const synchronized = vmi?.status?.conditions?.find((c) => c.type === 'Synchronized');
  if (synchronized?.status === 'False')
    found.push({ source: 'VMI', reason: synchronized.reason ?? '', message: synchronized.message ?? '' });
  const failure = vm?.status?.conditions?.find((c) => c.type === 'Failure');
  if (failure?.status === 'True')
    found.push({ source: 'VM', reason: failure.reason ?? '', message: failure.message ?? '' });
  if (vmi?.status?.phase === 'Failed')
    found.push({
      source: 'VMI',
      reason: 'Failed',
      message: vmi.status.reason ?? 'the virtual machine instance failed',
    });
  return found;
}

/** The first handoff that has not happened, or undefined when all have. */
export function firstOpen(objects: PipelineObjects): ReturnType<typeof handoffsOf>[number] | undefined {
  return handoffsOf(objects).find((handoff) => !handoff.done);
}
