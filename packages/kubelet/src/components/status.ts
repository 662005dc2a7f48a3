/** The status of a component's Pod, from what is seen of its process. Pure. */
import type { Condition, ContainerStatus, PodStatus } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { type HomeComponent, imageOf } from '@podvisor/home-contract';

export interface ProcessSeen {
  /** Absent: it does not run now. */
  readonly run?: { readonly pid: number; readonly startedAtMs: number };
  readonly ready: boolean;
  /** Why it is not ready. */
  readonly message: string;
}

/** `before` is the status that the API has: restarts are counted from it. */
export function componentStatus(
  { name }: Pick<HomeComponent, 'name'>,
  before: PodStatus | undefined,
  seen: ProcessSeen,
  addresses: readonly string[],
  nowMs: number,
): PodStatus {
  const now = rfc3339(nowMs);
  const old = before?.containerStatuses?.[0];
  const container = containerStatus(name, old, seen, now);
  const [hostIP = ''] = addresses;
  const ips = addresses.map((ip) => ({ ip }));
  const isReady = container.ready;
  const condition = (type: string, holds: boolean): Condition => {
    const status = holds ? 'True' : 'False';
    const known = before?.conditions?.find((c) => c.type === type);
    const why =
      holds || !type.endsWith('Ready') ? {} : { reason: 'ContainersNotReady', message: seen.message };
    return {
      type,
      status,
      lastTransitionTime: known?.status === status ? (known.lastTransitionTime ?? now) : now,
      ...why,
    };
  };
  return {
    phase: container.containerID === undefined ? 'Pending' : 'Running',
    conditions: [
      condition('PodReadyToStartContainers', true),
      condition('Initialized', true),
      condition('Ready', isReady),
      condition('ContainersReady', isReady),
      condition('PodScheduled', true),
    ],
    hostIP,
    hostIPs: ips,
    podIP: hostIP,
    podIPs: ips,
    startTime: before?.startTime ?? now,
    containerStatuses: [container],
    qosClass: 'BestEffort',
  };
}

/** Names one run of a process. */
export function containerIdOf({ pid, startedAtMs }: NonNullable<ProcessSeen['run']>): string {
  return `process://${pid}-${startedAtMs}`;
}

function containerStatus(
  name: HomeComponent['name'],
  old: ContainerStatus | undefined,
  { run, ready }: ProcessSeen,
  now: string,
): ContainerStatus {
  const common = { name, image: imageOf(name), imageID: '' };
  const restarts = old?.restartCount ?? 0;
  if (run === undefined) {
    const hasRun = old?.containerID !== undefined;
    return {
      ...common,
      state: { waiting: hasRun ? ENDED : { reason: 'ContainerCreating' } },
      ...lastOf(old, now),
      ready: false,
      started: false,
      restartCount: restarts,
      ...(hasRun ? { containerID: old.containerID } : {}),
    };
  }
  const containerID = containerIdOf(run);
  const isNew = old?.containerID !== undefined && old.containerID !== containerID;
  return {
    ...common,
    state: { running: { startedAt: rfc3339(run.startedAtMs) } },
    ...(isNew ? lastOf(old, now) : old?.lastState === undefined ? {} : { lastState: old.lastState }),
    ready,
    started: true,
    restartCount: restarts + (isNew ? 1 : 0),
    containerID,
  };
}

const ENDED = {
  reason: 'CrashLoopBackOff',
  message: 'the process ended; the supervisor of the home starts it again',
};

/** How a run ended is in the supervisor's log; what is known here is that it is over. */
function lastOf(old: ContainerStatus | undefined, now: string): Pick<ContainerStatus, 'lastState'> {
  const running = old?.state?.running;
  if (running === undefined) return old?.lastState === undefined ? {} : { lastState: old.lastState };
  return {
    lastState: {
      terminated: {
        exitCode: 137,
        reason: 'ContainerStatusUnknown',
        ...(running.startedAt === undefined ? {} : { startedAt: running.startedAt }),
        finishedAt: now,
        ...(old?.containerID === undefined ? {} : { containerID: old.containerID }),
      },
    },
  };
}
