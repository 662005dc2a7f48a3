/** `containerStatuses` of a Pod: what each container does, in Kubernetes' words. Pure. */
import type { Container, ContainerState, ContainerStatus, Pod } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { restartAtMs } from './plan.ts';
import {
  type ContainerHistory,
  type ContainerRun,
  initContainers,
  isSidecar,
  type ObservedPod,
} from './types.ts';

/** Prefix of container ids in statuses. */
export const RUNTIME = 'podvisor';

export function containerStatus(
  pod: Pod,
  container: Container,
  observed: ObservedPod,
  nowMs: number,
): ContainerStatus {
  const history = observed.containers.get(container.name) ?? [];
  const [latest, previous] = history;
  const state = currentState(pod, container, latest, observed, nowMs);
  // While a crashed container waits for its next start, its end is already the last state.
  const last = state.waiting !== undefined && latest !== undefined ? latest : previous;
  const isRunning = state.running !== undefined;
  const probes = observed.probes.get(container.name);
  return {
    name: container.name,
    state,
    lastState: last?.state.kind === 'exited' ? terminated(last) : {},
    ready: isReady(pod, container, history, observed),
    started: isRunning && (probes?.started ?? true),
    restartCount: latest?.record.attempt ?? 0,
    image: latest?.record.image ?? container.image ?? '',
    imageID: latest?.record.imageId ?? '',
    ...(latest?.record.pid === undefined ? {} : { containerID: `${RUNTIME}://${latest.record.id}` }),
  };
}

function isReady(pod: Pod, container: Container, history: ContainerHistory, observed: ObservedPod): boolean {
  const latest = history[0];
  if (latest === undefined) return false;
  if (latest.state.kind === 'running') {
    return latest.record.stopping === undefined && (observed.probes.get(container.name)?.ready ?? true);
  }
  const isInit = initContainers(pod).includes(container) && !isSidecar(container);
  return isInit && latest.state.kind === 'exited' && latest.state.exitCode === 0;
}

function currentState(
  pod: Pod,
  container: Container,
  latest: ContainerRun | undefined,
  observed: ObservedPod,
  nowMs: number,
): ContainerState {
  if (latest?.state.kind === 'running') {
    return { running: { startedAt: rfc3339(latest.state.startedAtMs) } };
  }
  const problem = observed.problems.get(container.name) ?? observed.setUpProblem;
  if (latest === undefined || latest.state.kind === 'creating') {
    if (observed.rejected !== undefined || pod.metadata.deletionTimestamp !== undefined) {
      return { waiting: { reason: 'ContainerCreating' } };
    }
    if (problem !== undefined) return { waiting: { reason: problem.reason, message: problem.message } };
    return {
      waiting: { reason: waitsForInit(pod, container, observed) ? 'PodInitializing' : 'ContainerCreating' },
    };
  }
  if (!willRestart(pod, container, latest)) return terminated(latest);
  if (problem !== undefined) return { waiting: { reason: problem.reason, message: problem.message } };
  const restartAt = restartAtMs(latest);
  if (restartAt > nowMs) {
    const seconds = Math.round(
      (restartAt - (latest.state.kind === 'exited' ? latest.state.finishedAtMs : nowMs)) / 1000,
    );
    const name = `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
    return {
      waiting: {
        reason: 'CrashLoopBackOff',
        message: `back-off ${formatSeconds(seconds)} restarting failed container=${container.name} pod=${name}`,
      },
    };
  }
  return terminated(latest);
}

function formatSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

function willRestart(pod: Pod, container: Container, run: ContainerRun): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || run.state.kind !== 'exited') return false;
  if (isSidecar(container)) return true;
  const policy = pod.spec.restartPolicy ?? 'Always';
  const isInit = initContainers(pod).includes(container);
  if (policy === 'Never') return false;
  return (policy === 'Always' && !isInit) || run.state.exitCode !== 0;
}

function waitsForInit(pod: Pod, container: Container, observed: ObservedPod): boolean {
  const inits = initContainers(pod);
  if (inits.length === 0) return false;
  if (inits[0] === container) return observed.sandbox.kind === 'absent';
  return true;
}

function terminated(run: ContainerRun): ContainerState {
  if (run.state.kind !== 'exited') return {};
  const { exitCode, startedAtMs, finishedAtMs, reason, message } = run.state;
  return {
    terminated: {
      exitCode,
      reason,
      ...(message === '' ? {} : { message }),
      startedAt: rfc3339(startedAtMs ?? finishedAtMs),
      finishedAt: rfc3339(finishedAtMs),
      containerID: `${RUNTIME}://${run.record.id}`,
    },
  };
}
