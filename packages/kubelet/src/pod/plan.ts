/**
 * What to do next for one Pod: a pure function of the Pod and of what is observed. It knows neither which
 * event woke it nor what it decided before, so a restart of the kubelet changes nothing.
 */
import type { Container, Pod } from '@podvisor/api';
import {
  allContainers,
  type ContainerProblem,
  type ContainerRun,
  initContainers,
  isSidecar,
  type ObservedPod,
} from './types.ts';

export type Action =
  /** Network, volumes, devices. */
  | { readonly kind: 'setUp' }
  | {
      readonly kind: 'run';
      readonly container: Container;
      readonly attempt: number;
      readonly backoffLevel: number;
    }
  | {
      readonly kind: 'stop';
      readonly run: ContainerRun;
      readonly graceSeconds: number;
      readonly reason: string;
    }
  | { readonly kind: 'kill'; readonly run: ContainerRun }
  /** The node ends the Pod for good. */
  | { readonly kind: 'reject'; readonly reason: string; readonly message: string }
  /** It is time to tell that pulling an image waits: one of this container, or of the whole Pod. */
  | { readonly kind: 'backOff'; readonly container?: string }
  /** Nothing to do before this time. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'tearDown' }
  /** The machine holds nothing of the Pod any more: the API may forget it too. */
  | { readonly kind: 'forget' };

const BACKOFF_FIRST_MS = 10_000;
const BACKOFF_MAX_MS = 300_000;
/** A container that ran this long starts with a clean slate. */
const BACKOFF_RESET_MS = 600_000;
const DEFAULT_GRACE_SECONDS = 30;

export function plan(pod: Pod, observed: ObservedPod, nowMs: number): readonly Action[] {
  if (pod.metadata.deletionTimestamp !== undefined || observed.rejected !== undefined) {
    return planEnd(pod, observed, nowMs);
  }
  if (isFinished(pod, observed)) {
    const actions = stopAll(pod, observed, nowMs);
    if (actions.length > 0) return actions;
    return observed.tornDown ? [] : [{ kind: 'tearDown' }];
  }
  const deadline = deadlineMs(pod);
  if (deadline !== undefined && nowMs >= deadline) {
    const message = 'Pod was active on the node longer than the specified deadline';
    return [{ kind: 'reject', reason: 'DeadlineExceeded', message }];
  }
  const timely: readonly Action[] = deadline === undefined ? [] : [{ kind: 'wait', untilMs: deadline }];
  return [...timely, ...planRun(pod, observed, nowMs)];
}

function deadlineMs(pod: Pod): number | undefined {
  const { activeDeadlineSeconds } = pod.spec;
  const start = pod.status?.startTime;
  if (activeDeadlineSeconds === undefined || start === undefined) return undefined;
  return Date.parse(start) + activeDeadlineSeconds * 1000;
}

function planRun(pod: Pod, observed: ObservedPod, nowMs: number): readonly Action[] {
  const waits = waitOut(observed.setUpProblem, { kind: 'backOff' }, nowMs);
  if (waits !== undefined) return waits;
  if (observed.sandbox.kind === 'absent' || !observed.volumesReady) return [{ kind: 'setUp' }];
  return [...restartUnhealthy(pod, observed, nowMs), ...startNext(pod, observed, nowMs)];
}

/** What comes before the next try; undefined when it is time for it. */
function waitOut(
  problem: ContainerProblem | undefined,
  backOff: Action,
  nowMs: number,
): readonly Action[] | undefined {
  if (problem === undefined || problem.retryAtMs <= nowMs) return undefined;
  if (problem.backOff !== undefined && problem.backOff.atMs <= nowMs) return [backOff];
  return [{ kind: 'wait', untilMs: problem.backOff?.atMs ?? problem.retryAtMs }];
}

/** True when no container will run again: the Pod's phase is final. */
export function isFinished(pod: Pod, observed: ObservedPod): boolean {
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return true;
  if (failedInit(pod, observed) !== undefined) return true;
  return pod.spec.containers.every((container) => {
    const latest = observed.containers.get(container.name)?.[0];
    return latest?.state.kind === 'exited' && !restarts(pod, latest.state.exitCode);
  });
}

/** The init container that failed for good, if one did. */
export function failedInit(pod: Pod, observed: ObservedPod): Container | undefined {
  if (pod.spec.restartPolicy !== 'Never') return undefined;
  return initContainers(pod).find((container) => {
    const latest = observed.containers.get(container.name)?.[0];
    return !isSidecar(container) && latest?.state.kind === 'exited' && latest.state.exitCode !== 0;
  });
}

function restarts(pod: Pod, exitCode: number): boolean {
  const policy = pod.spec.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function planEnd(pod: Pod, observed: ObservedPod, nowMs: number): readonly Action[] {
  const stopping = stopAll(pod, observed, nowMs);
  if (stopping.length > 0) return stopping;
  if (!observed.tornDown) return [{ kind: 'tearDown' }];
  return pod.metadata.deletionTimestamp === undefined ? [] : [{ kind: 'forget' }];
}

/** Ends what runs: the main containers first, then sidecars in reverse order of their start. */
function stopAll(pod: Pod, observed: ObservedPod, nowMs: number): readonly Action[] {
  const main = running(pod.spec.containers, observed);
  if (main.length > 0) return main.flatMap((run) => stopOne(pod, run, nowMs, 'Killing'));
  const [last] = running(initContainers(pod), observed).toReversed();
  return last === undefined ? [] : stopOne(pod, last, nowMs, 'Killing');
}

function running(containers: readonly Container[], observed: ObservedPod): ContainerRun[] {
  return (
    containers
      .map((container) => observed.containers.get(container.name)?.[0])
      .filter((run) => run !== undefined)
      // One that was never started is not stopped: tearing down removes it.
      .filter((run) => run.state.kind === 'running')
  );
}

function stopOne(pod: Pod, run: ContainerRun, nowMs: number, reason: string): readonly Action[] {
  const grace = graceSeconds(pod);
  const { stopping } = run.record;
  if (stopping === undefined) return [{ kind: 'stop', run, graceSeconds: grace, reason }];
  // A second deletion may only shorten the time that was given.
  const killAtMs = Math.min(stopping.killAtMs, stopping.sinceMs + grace * 1000);
  return nowMs >= killAtMs ? [{ kind: 'kill', run }] : [{ kind: 'wait', untilMs: killAtMs }];
}

function graceSeconds(pod: Pod): number {
  const spec = pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
  if (pod.metadata.deletionTimestamp === undefined) return spec;
  return pod.metadata.deletionGracePeriodSeconds ?? spec;
}

function restartUnhealthy(pod: Pod, observed: ObservedPod, nowMs: number): readonly Action[] {
  return allContainers(pod).flatMap((container): readonly Action[] => {
    const latest = observed.containers.get(container.name)?.[0];
    if (latest?.state.kind !== 'running') return [];
    const failed = observed.probes.get(container.name)?.failed;
    if (failed === undefined && latest.record.stopping === undefined) return [];
    const probeGrace = (container.livenessProbe ?? container.startupProbe)?.terminationGracePeriodSeconds;
    const { stopping } = latest.record;
    if (stopping === undefined) {
      return [
        { kind: 'stop', run: latest, graceSeconds: probeGrace ?? graceSeconds(pod), reason: 'Unhealthy' },
      ];
    }
    if (nowMs >= stopping.killAtMs) return [{ kind: 'kill', run: latest }];
    return [{ kind: 'wait', untilMs: stopping.killAtMs }];
  });
}

/** Init containers one after the other, then all main containers at once. */
function startNext(pod: Pod, observed: ObservedPod, nowMs: number): readonly Action[] {
  const actions: Action[] = [];
  const mainBegan = pod.spec.containers.some((c) => (observed.containers.get(c.name)?.length ?? 0) > 0);
  for (const container of initContainers(pod)) {
    const latest = observed.containers.get(container.name)?.[0];
    if (isSidecar(container)) {
      if (latest?.state.kind !== 'running') {
        actions.push(...startOne(container, latest, observed, nowMs));
        if (!mainBegan) return actions;
      } else if (!mainBegan && observed.probes.get(container.name)?.started !== true) {
        return actions;
      }
      continue;
    }
    // Once the main containers began, the init containers are history, even if their records are gone.
    if (mainBegan) continue;
    if (latest?.state.kind === 'exited' && latest.state.exitCode === 0) continue;
    if (latest?.state.kind === 'running') return actions;
    return [...actions, ...startOne(container, latest, observed, nowMs)];
  }
  for (const container of pod.spec.containers) {
    const latest = observed.containers.get(container.name)?.[0];
    if (latest?.state.kind === 'running') continue;
    if (latest?.state.kind === 'exited' && !restarts(pod, latest.state.exitCode)) continue;
    actions.push(...startOne(container, latest, observed, nowMs));
  }
  return actions;
}

function startOne(
  container: Container,
  latest: ContainerRun | undefined,
  observed: ObservedPod,
  nowMs: number,
): readonly Action[] {
  const { name } = container;
  const waits = waitOut(observed.problems.get(name), { kind: 'backOff', container: name }, nowMs);
  if (waits !== undefined) return waits;
  if (latest === undefined) return [{ kind: 'run', container, attempt: 0, backoffLevel: 0 }];
  if (latest.state.kind === 'creating') {
    // A crash of the kubelet left it half made: make it again under the same number.
    const { attempt, backoffLevel } = latest.record;
    return [{ kind: 'run', container, attempt, backoffLevel }];
  }
  if (latest.state.kind !== 'exited') return [];
  const untilMs = restartAtMs(latest);
  if (untilMs > nowMs) return [{ kind: 'wait', untilMs }];
  return [{ kind: 'run', container, attempt: latest.record.attempt + 1, backoffLevel: nextLevel(latest) }];
}

function nextLevel(latest: ContainerRun): number {
  return ranLong(latest) ? 1 : latest.record.backoffLevel + 1;
}

function ranLong({ state }: ContainerRun): boolean {
  return (
    state.kind === 'exited' &&
    state.startedAtMs !== undefined &&
    state.finishedAtMs - state.startedAtMs >= BACKOFF_RESET_MS
  );
}

/** When an ended container may start again: at once the first time, then after 10, 20, 40 … 300 s. */
export function restartAtMs(latest: ContainerRun): number {
  if (latest.state.kind !== 'exited') return 0;
  const level = ranLong(latest) ? 0 : latest.record.backoffLevel;
  if (level === 0) return 0;
  return latest.state.finishedAtMs + Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (level - 1));
}
