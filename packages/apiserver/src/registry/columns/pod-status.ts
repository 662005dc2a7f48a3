/** What `kubectl get pods` says in the Status column, from phase and container states. */
import { arrayAt, at, type Json, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { ageOf } from './plain.ts';

export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: string;
}

export function podStatus(pod: KubeObject, nowMs: number): PodSummary {
  const total = arrayAt(pod, 'spec', 'containers').length;
  const statuses = arrayAt(pod, 'status', 'containerStatuses');
  const ready = statuses.filter(
    (s) => at(s, 'ready') === true && at(s, 'state', 'running') !== undefined,
  ).length;
  const restarts = statuses.reduce<number>((sum, s) => sum + Number(at(s, 'restartCount') ?? 0), 0);
  const last = statuses
    .map((s) => stringAt(s, 'lastState', 'terminated', 'finishedAt'))
    .filter((t) => t !== '')
    .toSorted()
    .at(-1);
  return {
    ready,
    total,
    reason: reasonOf(pod, statuses),
    restarts:
      restarts > 0 && last !== undefined ? `${restarts} (${ageOf(last, nowMs)} ago)` : String(restarts),
  };
}

function reasonOf(pod: KubeObject, statuses: readonly Json[]): string {
  let reason = stringAt(pod, 'status', 'reason') || stringAt(pod, 'status', 'phase');
  if (
    arrayAt(pod, 'status', 'conditions').some(
      (c) => stringAt(c, 'type') === 'PodScheduled' && stringAt(c, 'reason') === 'SchedulingGated',
    )
  )
    reason = 'SchedulingGated';
  const waiting = initReason(pod);
  if (waiting !== undefined) reason = waiting;
  else {
    let running = false;
    for (const status of statuses.toReversed()) {
      const state = objectAt(status, 'state');
      const why = stringAt(state, 'waiting', 'reason') || stringAt(state, 'terminated', 'reason');
      if (why !== '') reason = why;
      else if (at(state, 'terminated') !== undefined) {
        const signal = Number(at(state, 'terminated', 'signal') ?? 0);
        reason =
          signal !== 0 ? `Signal:${signal}` : `ExitCode:${String(at(state, 'terminated', 'exitCode') ?? 0)}`;
      } else if (at(status, 'ready') === true && at(state, 'running') !== undefined) running = true;
    }
    if (reason === 'Completed' && running) reason = 'Running';
  }
  if (pod.metadata.deletionTimestamp !== undefined)
    return stringAt(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
  return reason;
}

function initReason(pod: KubeObject): string | undefined {
  const total = arrayAt(pod, 'spec', 'initContainers').length;
  for (const [i, status] of arrayAt(pod, 'status', 'initContainerStatuses').entries()) {
    const state = objectAt(status, 'state');
    if (at(state, 'terminated') !== undefined && Number(at(state, 'terminated', 'exitCode') ?? 0) === 0)
      continue;
    if (
      stringAt(arrayAt(pod, 'spec', 'initContainers')[i], 'restartPolicy') === 'Always' &&
      at(status, 'started') === true
    )
      continue;
    if (at(state, 'terminated') !== undefined)
      return `Init:${stringAt(state, 'terminated', 'reason') || `ExitCode:${String(at(state, 'terminated', 'exitCode'))}`}`;
    const waiting = stringAt(state, 'waiting', 'reason');
    if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
    return `Init:${i}/${total}`;
  }
  return undefined;
}
