/** What a DataVolume, or a claim that waits for an upload, needs next. Pure. */
import {
  type DataVolume,
  type DataVolumeImportSource,
  isOwnedBy,
  ownerKinds,
  type PersistentVolumeClaim,
  type Pod,
  saidOwners,
  type StorageClass,
  unresolvedSource,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { type ClaimResult, type ClaimView, claimFor } from './claim.ts';
import { type Fill, type FillingPod, fillOf, fillOfClaim, type PodFill } from './fill.ts';
import { annotations, workerName } from './names.ts';
import {
  provisionerPhase,
  restartsOf,
  type StatusInput,
  statusOf,
  type WorkerState,
  workerPhase,
  workerState,
} from './status.ts';
import { type WorkerImage, workerPod } from './worker-pod.ts';

export interface Observed {
  readonly volume: DataVolume | undefined;
  readonly claim: PersistentVolumeClaim | undefined;
  /** Pods of the namespace that mount the claim. */
  readonly pods: readonly Pod[];
  /** The claim's storage class. */
  readonly storageClass: StorageClass | undefined;
  /** Resolved; undefined while a DataSource is missing. */
  readonly source: DataVolumeImportSource | undefined;
  readonly view: ClaimView;
  /** Percent, as far as known. */
  readonly progress: number | undefined;
  readonly worker: WorkerImage;
  readonly nowMs: number;
}

export type DataVolumeAction =
  | { readonly kind: 'createClaim'; readonly claim: PersistentVolumeClaim }
  | { readonly kind: 'createPod'; readonly pod: Pod }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'annotateClaim'; readonly annotations: Readonly<Record<string, string>> }
  | { readonly kind: 'setStatus'; readonly status: NonNullable<DataVolume['status']> }
  | {
      readonly kind: 'event';
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly message: string;
    };

export function reconcileDataVolume(observed: Observed): readonly DataVolumeAction[] {
  const { volume, claim } = observed;
  // A claim is held as long as a Pod uses it, and ours would go only after it.
  if (claim?.metadata.deletionTimestamp !== undefined)
    return workersOf(observed, claim).map((pod) => ({ kind: 'deletePod', pod }));
  if (volume === undefined) {
    const fill = claim === undefined ? undefined : fillOfClaim(claim);
    if (claim === undefined || fill?.kind !== 'pod' || ownedByDataVolume(claim)) return [];
    return fillByPod(observed, claim, fill.worker).actions;
  }
  if (volume.metadata.deletionTimestamp !== undefined) return [];
  const outcome = volumeOutcome(observed, volume);
  return [...outcome.actions, ...tell(observed, volume, outcome)];
}

interface Outcome extends Pick<StatusInput, 'phase' | 'worker' | 'problem'> {
  readonly actions: readonly DataVolumeAction[];
  readonly pod?: Pod;
}

const NO_WORKER: WorkerState = { kind: 'none' };
const BINDER: PodFill = { kind: 'bind', source: { kind: 'none' }, contentType: 'kubevirt' };

function volumeOutcome(observed: Observed, volume: DataVolume): Outcome {
  const { claim, source } = observed;
  if (volume.status?.phase === 'Succeeded')
    return { phase: 'Succeeded', worker: NO_WORKER, actions: tidy(observed, volume) };
  if (volume.metadata.annotations?.[annotations.prePopulated] !== undefined)
    return {
      phase: claim?.status?.phase === 'Bound' ? 'Succeeded' : 'Pending',
      worker: NO_WORKER,
      actions: [],
    };
  if (source === undefined) return stuck('DataSourceNotFound', unresolvedSource(volume));
  const fill = fillOf(volume, source);
  if (fill.kind === 'unsupported') return { ...stuck('Error', fill.message), phase: 'Failed' };
  if (claim === undefined) return missingClaim(claimFor(volume, source, observed.view));
  if (!isOwnedBy(claim, volume, ownerKinds.dataVolume))
    return stuck(
      'ErrResourceExists',
      `PersistentVolumeClaim ${claim.metadata.name} exists and is not managed by this DataVolume`,
    );
  return fill.kind === 'provisioner'
    ? filledByProvisioner(observed, claim, fill)
    : fillByPod(observed, claim, fill.worker);
}

function stuck(reason: string, message: string): Outcome {
  return {
    phase: 'Pending',
    worker: NO_WORKER,
    problem: { reason, message },
    actions: [{ kind: 'event', type: 'Warning', reason, message }],
  };
}

function missingClaim(result: ClaimResult): Outcome {
  if (result.kind === 'invalid') return stuck('ErrClaimNotValid', result.message);
  const actions: readonly DataVolumeAction[] = [
    ...assumption(result.undescribedClass),
    { kind: 'createClaim', claim: result.claim },
  ];
  return { phase: 'Pending', worker: NO_WORKER, actions };
}

function assumption(className: string | undefined): readonly DataVolumeAction[] {
  if (className === undefined) return [];
  const message = `nothing says what storage class ${className} can: ReadWriteOnce is asked for; for VMs that move while they run, say so in spec.claimPropertySets of StorageProfile ${className}, or in spec.storage.accessModes`;
  return [{ kind: 'event', type: 'Normal', reason: 'AccessModeAssumed', message }];
}

/**
 * The claim is filled when it is bound. Where a class makes volumes for their first consumer and the user does not want
 * to wait for one, a Pod of ours is that consumer until then; it need not even have run.
 */
function filledByProvisioner(
  observed: Observed,
  claim: PersistentVolumeClaim,
  { what }: Extract<Fill, { kind: 'provisioner' }>,
): Outcome {
  const { storageClass, pods, volume, progress } = observed;
  const binder = workerOf(claim, pods, BINDER);
  if (claim.status?.phase === 'Bound') {
    const over = binder !== undefined && binder.metadata.deletionTimestamp === undefined;
    const actions: readonly DataVolumeAction[] = over ? [{ kind: 'deletePod', pod: binder }] : [];
    return { phase: 'Succeeded', worker: NO_WORKER, actions };
  }
  if (awaitsConsumer(claim, storageClass, pods, volume))
    return { phase: 'WaitForFirstConsumer', worker: NO_WORKER, actions: [] };
  const isLazy = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  const actions: readonly DataVolumeAction[] =
    isLazy && pods.length === 0
      ? [{ kind: 'createPod', pod: workerPod(claim, BINDER, observed.worker) }]
      : [];
  return { phase: provisionerPhase(what, progress), worker: workerState(binder), actions };
}

function fillByPod(observed: Observed, claim: PersistentVolumeClaim, fill: FillingPod): Outcome {
  const { pods, storageClass, volume } = observed;
  const before = volume?.status?.phase ?? '';
  if (claim.metadata.annotations?.[annotations.podPhase] === 'Succeeded')
    return { phase: 'Succeeded', worker: NO_WORKER, actions: tidy(observed, volume) };
  const pod = workerOf(claim, pods, fill);
  const worker = workerState(pod);
  if (pod === undefined) {
    if (awaitsConsumer(claim, storageClass, pods, volume))
      return { phase: 'WaitForFirstConsumer', worker, actions: [] };
    // Where a claim is bound without a consumer, a Pod before that would only complain.
    const tooEarly =
      claim.status?.phase !== 'Bound' && storageClass?.volumeBindingMode !== 'WaitForFirstConsumer';
    return {
      phase: workerPhase(fill.kind, worker, before),
      worker,
      actions: tooEarly ? [] : [{ kind: 'createPod', pod: workerPod(claim, fill, observed.worker) }],
    };
  }
  const actions: DataVolumeAction[] = annotate(claim, {
    [annotations.podPhase]: pod.status?.phase ?? 'Pending',
    [annotations.podReady]: String(worker.kind === 'running'),
    [annotations.podRestarts]: String(restartsOf(pod)),
    ...lastWords(pod),
    [fill.kind === 'import' ? annotations.importPod : annotations.uploadPod]: pod.metadata.name ?? '',
  });
  if (worker.kind === 'over' && pod.metadata.deletionTimestamp === undefined)
    actions.push({ kind: 'deletePod', pod });
  if (worker.kind === 'succeeded')
    return { phase: 'Succeeded', worker, actions: [...actions, ...tidy(observed, volume)], pod };
  return { phase: workerPhase(fill.kind, worker, before), worker, actions, pod };
}

function lastWords(pod: Pod): Readonly<Record<string, string>> {
  const { state, lastState } = pod.status?.containerStatuses?.[0] ?? {};
  const ended = state?.terminated ?? lastState?.terminated;
  const failed = ended !== undefined && ended.exitCode !== 0;
  return failed ? { [annotations.runningMessage]: (ended.message ?? '').slice(0, 1000) } : {};
}

/** The Pod that this claim owns: one of the same name that belongs to an older claim is not it. */
function workerOf(claim: PersistentVolumeClaim, pods: readonly Pod[], fill: PodFill): Pod | undefined {
  const name = workerName(fill.kind, claim.metadata.name ?? '');
  return pods.find((pod) => pod.metadata.name === name && isOwnedBy(pod, claim, ownerKinds.claim));
}

/** Removes workers that are done. */
function tidy(observed: Observed, volume: DataVolume | undefined): DataVolumeAction[] {
  const { claim } = observed;
  const keep = volume?.metadata.annotations?.[annotations.retainPod] === 'true';
  if (claim === undefined || keep) return [];
  return workersOf(observed, claim)
    .filter(({ status }) => status?.phase === 'Succeeded')
    .map((pod) => ({ kind: 'deletePod', pod }));
}

/** Pods that the claim owns and that are not going yet. */
function workersOf({ pods }: Observed, claim: PersistentVolumeClaim): readonly Pod[] {
  return pods.filter(
    (pod) => pod.metadata.deletionTimestamp === undefined && isOwnedBy(pod, claim, ownerKinds.claim),
  );
}

function awaitsConsumer(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  pods: readonly Pod[],
  volume: DataVolume | undefined,
): boolean {
  if (claim.status?.phase === 'Bound' || storageClass?.volumeBindingMode !== 'WaitForFirstConsumer')
    return false;
  const immediate = [volume?.metadata.annotations, claim.metadata.annotations].some(
    (all) => all?.[annotations.bindImmediately] !== undefined,
  );
  return !immediate && pods.length === 0;
}

function annotate(
  claim: PersistentVolumeClaim,
  wanted: Readonly<Record<string, string>>,
): DataVolumeAction[] {
  const have = claim.metadata.annotations ?? {};
  const changed = Object.entries(wanted).filter(([key, value]) => have[key] !== value);
  return changed.length === 0 ? [] : [{ kind: 'annotateClaim', annotations: Object.fromEntries(changed) }];
}

const ownedByDataVolume = (claim: PersistentVolumeClaim): boolean =>
  saidOwners(claim, ownerKinds.dataVolume).length > 0;

/** The status, and an event for each change of phase. */
function tell(observed: Observed, volume: DataVolume, outcome: Outcome): readonly DataVolumeAction[] {
  const { claim, progress, nowMs } = observed;
  const { phase, worker, problem, pod } = outcome;
  const restarts = pod === undefined ? (volume.status?.restartCount ?? 0) : restartsOf(pod);
  const status = statusOf({ volume, phase, claim, worker, restarts, progress, problem, nowMs });
  const changes: DataVolumeAction[] = [];
  if (!deepEqual(volume.status, status)) changes.push({ kind: 'setStatus', status });
  const name = claim?.metadata.name ?? volume.metadata.name ?? '';
  if (phase !== volume.status?.phase && phase !== 'Failed')
    changes.push({ kind: 'event', type: 'Normal', ...phaseEvent(phase, name) });
  // A worker that is started again at once was hardly seen to fail.
  const failure =
    worker.kind === 'failing' ? worker.message : (worker.kind === 'running' && worker.lastFailure) || '';
  const wasTold = volume.status?.conditions?.some(({ message }) => message === failure);
  if (failure !== '' && wasTold !== true)
    changes.push({ kind: 'event', type: 'Warning', reason: 'Error', message: failure });
  return changes;
}

function phaseEvent(phase: string, name: string): { readonly reason: string; readonly message: string } {
  const texts: Readonly<Record<string, string>> = {
    Pending: `PVC ${name} Pending`,
    ImportScheduled: `Import into ${name} scheduled`,
    ImportInProgress: `Import into ${name} in progress`,
    CloneScheduled: `Cloning into ${name} scheduled`,
    CloneInProgress: `Cloning into ${name} in progress`,
    UploadScheduled: `Upload into ${name} scheduled`,
    UploadReady: `Upload into ${name} is ready`,
    WaitForFirstConsumer: `PVC ${name} waits for its first consumer`,
    Succeeded: `Successfully filled PVC ${name}`,
  };
  const reasons: Readonly<Record<string, string>> = { Succeeded: 'ImportSucceeded' };
  return { reason: reasons[phase] ?? phase, message: texts[phase] ?? `${name}: ${phase}` };
}
