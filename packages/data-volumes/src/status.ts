/** The status of a DataVolume, told from its claim and the Pod that fills it. Pure. */
import type { DataVolume, DataVolumePhase, PersistentVolumeClaim, Pod } from '@podvisor/api';
import { deepEqual, rfc3339 } from '@podvisor/base';
import type { Fill } from './fill.ts';

type Status = NonNullable<DataVolume['status']>;
type Condition = NonNullable<Status['conditions']>[number];
type Draft = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** What the worker is doing. */
export type WorkerState =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting'; readonly reason: string; readonly message: string }
  /** `lastFailure`: why its run before this one failed, if that is why there is another. */
  | { readonly kind: 'running'; readonly lastFailure?: string }
  /** It failed and is started again, or cannot be started. */
  | { readonly kind: 'failing'; readonly reason: 'Error' | 'ImagePullFailed'; readonly message: string }
  | { readonly kind: 'succeeded' }
  /** The Pod is over without success (evicted, node lost): another one is needed. */
  | { readonly kind: 'over' };

export function workerState(pod: Pod | undefined): WorkerState {
  if (pod === undefined) return { kind: 'none' };
  if (pod.status?.phase === 'Succeeded') return { kind: 'succeeded' };
  if (pod.status?.phase === 'Failed') return { kind: 'over' };
  const [container] = pod.status?.containerStatuses ?? [];
  const { running, terminated, waiting } = container?.state ?? {};
  const last = container?.lastState?.terminated;
  if (running !== undefined) {
    const failed = last !== undefined && last.exitCode !== 0;
    return { kind: 'running', ...(failed ? { lastFailure: last.message ?? last.reason ?? '' } : {}) };
  }
  if (terminated !== undefined && terminated.exitCode !== 0)
    return { kind: 'failing', reason: 'Error', message: terminated.message ?? terminated.reason ?? '' };
  if (waiting?.reason === 'CrashLoopBackOff')
    return { kind: 'failing', reason: 'Error', message: last?.message ?? waiting.message ?? '' };
  if (/Err|BackOff|Invalid/.test(waiting?.reason ?? ''))
    return { kind: 'failing', reason: 'ImagePullFailed', message: waiting?.message ?? '' };
  const unscheduled = pod.status?.conditions?.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  );
  return {
    kind: 'waiting',
    reason: unscheduled?.reason ?? waiting?.reason ?? 'Pending',
    message: unscheduled?.message ?? waiting?.message ?? '',
  };
}

export function restartsOf(pod: Pod | undefined): number {
  return pod?.status?.containerStatuses?.[0]?.restartCount ?? 0;
}

export interface StatusInput {
  readonly volume: DataVolume;
  readonly phase: DataVolumePhase;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly worker: WorkerState;
  readonly restarts: number;
  /** Percent. */
  readonly progress: number | undefined;
  /** Something that keeps us from going on. */
  readonly problem?: { readonly reason: string; readonly message: string };
  readonly nowMs: number;
}

export function statusOf(input: StatusInput): Status {
  const { volume, phase, claim, progress } = input;
  const before = volume.status?.conditions ?? [];
  const now = rfc3339(input.nowMs);
  const conditions = [boundCondition(input), runningCondition(input), readyCondition(input)].map((draft) => {
    const old = before.find(({ type }) => type === draft.type);
    const same = old !== undefined && deepEqual(pick(old), draft);
    if (same) return old;
    const moved = old?.status !== draft.status;
    return {
      ...draft,
      lastTransitionTime: moved ? now : (old?.lastTransitionTime ?? now),
      lastHeartbeatTime: now,
    };
  });
  return {
    ...(claim === undefined ? {} : { claimName: claim.metadata.name }),
    phase,
    progress: phase === 'Succeeded' ? '100.0%' : progress === undefined ? 'N/A' : `${progress.toFixed(2)}%`,
    ...(input.restarts > 0 || volume.status?.restartCount !== undefined
      ? { restartCount: input.restarts }
      : {}),
    conditions,
  };
}

function pick({ type, status, reason, message }: Condition): Draft {
  return { type, status, reason, message };
}

function boundCondition({ claim }: StatusInput): Draft {
  const name = claim?.metadata.name;
  if (claim === undefined)
    return { type: 'Bound', status: 'Unknown', reason: 'NotFound', message: 'No PVC found' };
  const bound = claim.status?.phase === 'Bound';
  return bound
    ? { type: 'Bound', status: 'True', reason: 'Bound', message: `PVC ${name} Bound` }
    : {
        type: 'Bound',
        status: 'False',
        reason: 'Pending',
        message: `PVC ${name} ${claim.status?.phase ?? 'Pending'}`,
      };
}

function runningCondition({ phase, worker, problem }: StatusInput): Draft {
  const running = (status: Draft['status'], reason: string, message: string): Draft => ({
    type: 'Running',
    status,
    reason,
    message,
  });
  if (phase === 'Succeeded') return running('False', 'Completed', 'Import Complete');
  if (problem !== undefined) return running('False', problem.reason, problem.message);
  switch (worker.kind) {
    case 'running':
      return running('True', 'Pod is running', worker.lastFailure ?? '');
    case 'failing':
      return running('False', worker.reason, worker.message);
    case 'waiting':
      return running('False', worker.reason, worker.message);
    default:
      return running('False', phase, '');
  }
}

function readyCondition({ phase }: StatusInput): Draft {
  return phase === 'Succeeded'
    ? { type: 'Ready', status: 'True', reason: 'Ready', message: '' }
    : { type: 'Ready', status: 'False', reason: 'TransferRunning', message: '' };
}

/** The phase while a Pod fills the claim. */
export function workerPhase(kind: 'import' | 'upload', worker: WorkerState, before: string): DataVolumePhase {
  const [scheduled, running]: readonly DataVolumePhase[] =
    kind === 'import' ? ['ImportScheduled', 'ImportInProgress'] : ['UploadScheduled', 'UploadReady'];
  // A worker that was running once and is started again is still at it.
  const atIt = worker.kind === 'running' || worker.kind === 'succeeded';
  const again = kind === 'import' && worker.kind === 'failing' && before === 'ImportInProgress';
  return (atIt || again ? running : scheduled) ?? 'Unknown';
}

/** The phase while the provisioner fills the claim. */
export function provisionerPhase(
  what: Extract<Fill, { kind: 'provisioner' }>['what'],
  progress: number | undefined,
): DataVolumePhase {
  if (what === 'clone') return progress === undefined ? 'CloneScheduled' : 'CloneInProgress';
  if (what === 'snapshot') return 'CloneFromSnapshotSourceInProgress';
  return what === 'blank' ? 'ImportScheduled' : 'Pending';
}
