/**
 * Backs up running VMs: the claim is plugged into the launcher Pod, the node copies, the claim is taken away again,
 * and the tracker learns the new checkpoint. Each pass looks at what is there and does what is missing.
 */
import {
  finalizers,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineBackup,
  type VirtualMachineBackupStatus,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { assertNever, type Clock, isStatus, messageOf } from '@podvisor/base';
import { type KubeClient, type ReconcileResult, resources, type ControllerSteps } from '@podvisor/kube';
import { vmBackups, vmBackupTrackers, vmExports } from '../../resources.ts';
import { isControlledBy, ownerKinds } from '../ownership.ts';
import type { Recorder } from '../recorder.ts';
import { setFinalizer } from '../snapshot/finalizers.ts';
import { isDeleting, isFinal } from '../vmi-phase.ts';
import { type BackupObservation, type BackupStep, decide, isPulled, sourceName } from './decide.ts';
import { exportOf, servedStatus } from './pull.ts';
import type { BackupCalls } from './node-calls.ts';
import { ABORTING, completed, failed, IN_PROGRESS, percentOf, progressing, seen } from './status.ts';
import { attachPatch, detachPatch, isDetached, targetVolume } from './target.ts';
import { BackupWrites } from './writes.ts';

export interface BackupControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'patch' | 'updateStatus' | 'delete'>;
  readonly calls: BackupCalls;
  readonly recorder: Recorder;
  readonly clock: Clock;
  backup(key: string): VirtualMachineBackup | undefined;
  vm(key: string): VirtualMachine | undefined;
  claim(key: string): PersistentVolumeClaim | undefined;
}

type Status = VirtualMachineBackupStatus;
type StepOf<K extends BackupStep['kind']> = Extract<BackupStep, { readonly kind: K }>;

/** Something on the node is being waited for that nothing tells us about. */
const LOOK_AGAIN_MS = 5_000;
const ASK_PROGRESS_MS = 5_000;

export class BackupController implements ControllerSteps<BackupObservation, BackupStep> {
  readonly #options: BackupControllerOptions;
  readonly #writes: BackupWrites;

  constructor(options: BackupControllerOptions) {
    this.#options = options;
    this.#writes = new BackupWrites(options);
  }

  /** Consistent reads: what a backup did to its VMI must not be done twice. */
  async observe(key: string, signal: AbortSignal): Promise<BackupObservation | undefined> {
    const { client } = this.#options;
    const cached = this.#options.backup(key);
    if (cached === undefined) return undefined;
    const { metadata, spec } = cached;
    const namespace = metadata?.namespace;
    const backup = await client.find(vmBackups, { namespace, name: metadata?.name ?? '' }, signal);
    if (backup === undefined) return undefined;
    const tracker =
      spec.source.kind === 'VirtualMachineBackupTracker'
        ? await client.find(vmBackupTrackers, { namespace, name: spec.source.name }, signal)
        : undefined;
    const name = sourceName({ backup, tracker });
    return {
      backup,
      tracker,
      vm: this.#options.vm(`${namespace}/${name}`),
      vmi: await client.find(resources.virtualMachineInstances, { namespace, name }, signal),
      claim: (claim) => this.#options.claim(`${namespace}/${claim}`),
      nowMs: this.#options.clock.now(),
    };
  }

  plan(observed: BackupObservation): BackupStep {
    return decide(observed);
  }

  async apply(step: BackupStep, observed: BackupObservation, signal: AbortSignal): Promise<ReconcileResult> {
    const { backup } = observed;
    const now = this.#options.clock.now();
    const status = backup.status ?? {};
    switch (step.kind) {
      case 'nothing':
        return;
      case 'tidy':
        return this.#writes.forgetAtVmi(observed, signal);
      case 'release':
        return this.#writes.release(backup, signal);
      case 'wait':
        return this.#writes.write(backup, progressing(status, 'Initializing', step.message, now), signal);
      case 'fail':
        return this.#fail(observed, step, signal);
      case 'forget-checkpoint':
        await this.#writes.forgetCheckpoint(observed.tracker, step.why, signal);
        return { requeueAfterMs: 0 };
      case 'attach':
        return this.#attach(observed, step, signal);
      case 'start':
        return this.#start(observed, step, signal);
      case 'follow':
        return this.#follow(observed, step, signal);
      case 'serve':
        return this.#serve(observed, step, signal);
      case 'abort':
        return this.#abort(observed, step, signal);
      case 'finish':
        return this.#finish(observed, step, signal);
      default:
        return assertNever(step);
    }
  }

  async #attach(
    { backup, vmi }: BackupObservation,
    { volume, claim, message }: StepOf<'attach'>,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { client, clock } = this.#options;
    if (vmi === undefined) return;
    await setFinalizer(client, vmBackups, backup, finalizers.backup, true, signal);
    try {
      await this.#writes.patchVmi(vmi, attachPatch(vmi, volume, claim), signal);
    } catch (error) {
      // A gate that is missing, for example: whoever reads the backup can mend it.
      if (!isStatus(error, 'Invalid') && !isStatus(error, 'BadRequest')) throw error;
      const told = progressing(
        backup.status ?? {},
        'Initializing',
        `failed to attach target backup pvc: ${error.message}`,
        clock.now(),
      );
      await this.#writes.write(backup, told, signal);
      return { requeueAfterMs: LOOK_AGAIN_MS };
    }
    await this.#writes.write(
      backup,
      progressing(backup.status ?? {}, 'Initializing', message, clock.now()),
      signal,
    );
    return;
  }

  async #start(
    { backup, tracker, vmi }: BackupObservation,
    { options, since }: StepOf<'start'>,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { calls, client, clock } = this.#options;
    if (vmi === undefined) return;
    await setFinalizer(client, vmBackups, backup, finalizers.backup, true, signal);
    try {
      const lost = since === undefined ? undefined : await calls.redefine(vmi, since, signal);
      if (lost !== undefined) {
        await this.#writes.forgetCheckpoint(tracker, lost, signal);
        return { requeueAfterMs: 0 };
      }
      await calls.backup(vmi, options, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const told = progressing(backup.status ?? {}, 'Initializing', messageOf(error), clock.now());
      await this.#writes.write(backup, told, signal);
      return { requeueAfterMs: LOOK_AGAIN_MS };
    }
    // The VMI first: what the node runs must be known to whoever continues this.
    const { backupName, backupStartTime: startTimestamp } = options;
    const path = '/status/changedBlockTracking/backupStatus';
    await this.#writes.patchVmi(vmi, [{ op: 'add', path, value: { backupName, startTimestamp } }], signal);
    const type = options.incremental === undefined ? 'Full' : 'Incremental';
    const begun: Status = {
      ...progressing(backup.status ?? {}, 'Initiated', IN_PROGRESS, clock.now()),
      type,
    };
    await this.#writes.write(backup, begun, signal);
    return;
  }

  /** Nothing announces how far a copy is, so it is asked; what nobody knows is left as it is. */
  async #follow(
    { backup, vmi }: BackupObservation,
    { runtime }: StepOf<'follow'>,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { calls, clock } = this.#options;
    const now = clock.now();
    const told = progressing(backup.status ?? {}, 'Initiated', IN_PROGRESS, now);
    await this.#writes.write(backup, seen(told, runtime, now), signal);
    const progress = vmi === undefined ? undefined : await calls.progress(vmi, signal);
    if (progress !== undefined) await this.#writes.showProgress(backup, percentOf(progress), signal);
    return { requeueAfterMs: ASK_PROGRESS_MS };
  }

  async #serve(
    { backup }: BackupObservation,
    { runtime, endsMs }: StepOf<'serve'>,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { client, clock } = this.#options;
    const now = clock.now();
    const { namespace, name = '' } = backup.metadata ?? {};
    const found = await client.find(vmExports, { namespace, name }, signal);
    const base = seen(backup.status ?? {}, runtime, now);
    if (found === undefined) await client.create(vmExports, exportOf(backup, endsMs - now), {}, signal);
    else if (!isControlledBy(found, backup, ownerKinds.backup)) {
      const message = `VMExport ${name} already exists but is not owned by backup ${name}`;
      await this.#writes.write(backup, progressing(base, 'PreparingExport', message, now), signal);
      return { requeueAfterMs: LOOK_AGAIN_MS };
    }
    const served = servedStatus(base, found, now);
    await this.#writes.write(
      backup,
      served ?? progressing(base, 'PreparingExport', 'Backup export is being initialized', now),
      signal,
    );
    return { requeueAfterMs: endsMs - now };
  }

  async #abort(
    { backup, vmi }: BackupObservation,
    { options, runtime }: StepOf<'abort'>,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { calls, clock, recorder } = this.#options;
    if (vmi === undefined) return;
    await calls.backup(vmi, options, signal);
    const reasons = backup.status?.conditions?.map(({ reason }) => reason);
    if (reasons?.includes('Aborting') !== true)
      recorder.event(
        backup,
        isPulled(backup) ? 'Normal' : 'Warning',
        'VirtualMachineBackupAborting',
        ABORTING,
      );
    const told = progressing(backup.status ?? {}, 'Aborting', ABORTING, clock.now());
    await this.#writes.write(backup, seen(told, runtime, clock.now()), signal);
    return { requeueAfterMs: LOOK_AGAIN_MS };
  }

  async #finish(
    observed: BackupObservation,
    { runtime }: StepOf<'finish'>,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { backup, tracker, vmi } = observed;
    const { clock, recorder } = this.#options;
    const { checkpointName, failed: hasFailed, backupMsg: message } = runtime;
    if (tracker !== undefined && checkpointName !== undefined && hasFailed !== true) {
      const { startTimestamp: creationTime, volumes } = runtime;
      const latestCheckpoint = { name: checkpointName, creationTime, volumes };
      if (tracker.status?.latestCheckpoint?.name !== checkpointName)
        await this.#writes.patchTracker(
          tracker,
          { latestCheckpoint, checkpointRedefinitionRequired: null },
          signal,
        );
    }
    if (!(await this.#detach(backup, vmi, signal))) return;
    const now = clock.now();
    const base = seen(backup.status ?? {}, runtime, now);
    if (hasFailed === true)
      return this.#tellFailure(observed, base, 'Failed', message ?? 'unknown failure reason', signal);
    await this.#writes.showProgress(backup, null, signal);
    await this.#writes.write(backup, completed(base, message, now), signal);
    if (message === undefined)
      recorder.event(
        backup,
        'Normal',
        'VirtualMachineBackupCompletedSuccessfully',
        'Successfully completed VirtualMachineBackup',
      );
    else
      recorder.event(
        backup,
        'Warning',
        'VirtualMachineBackupCompletedWithWarning',
        `Completed VirtualMachineBackup, warning: ${message}`,
      );
    await this.#writes.forgetAtVmi(observed, signal);
    return this.#writes.releaseIfDeleted(backup, signal);
  }

  async #fail(
    observed: BackupObservation,
    { reason, message, abort }: StepOf<'fail'>,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { backup, vmi } = observed;
    // The node may have begun, and whoever asked it died before that was noted: it ends before its claim goes.
    if (abort !== undefined && vmi !== undefined) await this.#options.calls.backup(vmi, abort, signal);
    if (!(await this.#detach(backup, vmi, signal))) return;
    return this.#tellFailure(observed, backup.status ?? {}, reason, message, signal);
  }

  async #tellFailure(
    observed: BackupObservation,
    status: Status,
    reason: string,
    message: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { backup } = observed;
    const { clock, recorder } = this.#options;
    await this.#writes.showProgress(backup, null, signal);
    await this.#writes.write(backup, failed(status, reason, message, clock.now()), signal);
    recorder.event(backup, 'Warning', 'VirtualMachineBackupFailed', message);
    await this.#writes.forgetAtVmi(observed, signal);
    return this.#writes.releaseIfDeleted(backup, signal);
  }

  /** Takes the claim away. True when the launcher Pod has it no more. */
  async #detach(
    backup: VirtualMachineBackup,
    vmi: VirtualMachineInstance | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    // A guest that ended has taken its Pod, and with it the claim, along.
    if (isPulled(backup)) await this.#writes.endExport(backup, signal);
    if (vmi === undefined || isFinal(vmi) || isDeleting(vmi)) return true;
    const volume = targetVolume(backup.metadata?.name ?? '');
    if (isDetached(vmi, volume)) return true;
    await this.#writes.patchVmi(vmi, detachPatch(vmi, volume), signal);
    return false;
  }
}
