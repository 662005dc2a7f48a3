/** What the backup controller writes: the backup itself, its tracker, its export, and the VMI's word on it. */
import {
  annotations,
  finalizers,
  type VirtualMachineBackup,
  type VirtualMachineBackupStatus,
  type VirtualMachineBackupTracker,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import {
  type JsonPatchOperation,
  type KubeClient,
  resources,
  patchGuarded,
  guardedChange,
  stillHas,
  ignoreNotFound,
} from '@podvisor/kube';
import { vmBackups, vmBackupTrackers, vmExports } from '../../resources.ts';
import { isControlledBy, ownerKinds } from '../ownership.ts';
import type { Recorder } from '../recorder.ts';
import { setFinalizer } from '../snapshot/finalizers.ts';
import type { BackupObservation } from './decide.ts';

type Status = VirtualMachineBackupStatus;

export interface BackupWritesOptions {
  readonly client: Pick<KubeClient, 'find' | 'patch' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
}

/** Each is idempotent: whoever continues may do it again. */
export class BackupWrites {
  readonly #options: BackupWritesOptions;

  constructor(options: BackupWritesOptions) {
    this.#options = options;
  }

  /** null: nothing is under way any more. */
  async showProgress(
    { metadata }: VirtualMachineBackup,
    shown: string | null,
    signal: AbortSignal,
  ): Promise<void> {
    const name = annotations.backupProgress;
    if ((metadata?.annotations?.[name] ?? null) === shown) return;
    const key = { namespace: metadata?.namespace, name: metadata?.name ?? '' };
    const body = { metadata: { uid: metadata?.uid, annotations: { [name]: shown } } };
    await this.#options.client.patch(vmBackups, key, { type: 'merge', body }, signal);
  }

  /** The export of a backup that was pulled; one of somebody else stays. */
  async endExport(backup: VirtualMachineBackup, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const { metadata } = backup;
    const key = { namespace: metadata?.namespace, name: metadata?.name ?? '' };
    const found = await client.find(vmExports, key, signal);
    if (found === undefined || !isControlledBy(found, backup, ownerKinds.backup)) return;
    await ignoreNotFound(client.delete(vmExports, key, {}, signal));
  }

  /** Last of all: as long as the VMI speaks of the backup, whoever continues this knows how it ended. */
  async forgetAtVmi({ backup, vmi }: BackupObservation, signal: AbortSignal): Promise<void> {
    const runtime = vmi?.status?.changedBlockTracking?.backupStatus ?? undefined;
    if (vmi === undefined || runtime === undefined || runtime.backupName !== backup.metadata?.name) return;
    const path = '/status/changedBlockTracking/backupStatus';
    await this.patchVmi(vmi, guardedChange(path, runtime, undefined), signal);
  }

  async forgetCheckpoint(
    tracker: VirtualMachineBackupTracker | undefined,
    why: string,
    signal: AbortSignal,
  ): Promise<void> {
    const name = tracker?.status?.latestCheckpoint?.name;
    if (tracker === undefined || name === undefined) return;
    await this.patchTracker(
      tracker,
      { latestCheckpoint: null, checkpointRedefinitionRequired: null },
      signal,
    );
    this.#options.recorder.event(
      tracker,
      'Warning',
      'CheckpointRedefinitionFailed',
      `Failed to redefine checkpoint ${name}: ${why}. Checkpoint cleared, next backup will be full.`,
    );
  }

  async patchTracker(
    tracker: VirtualMachineBackupTracker,
    status: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const { namespace, name = '', uid } = tracker.metadata ?? {};
    const patch = { type: 'merge', subresource: 'status', body: { metadata: { uid }, status } } as const;
    await this.#options.client.patch(vmBackupTrackers, { namespace, name }, patch, signal);
  }

  async patchVmi(
    { metadata }: VirtualMachineInstance,
    patch: readonly JsonPatchOperation[],
    signal: AbortSignal,
  ): Promise<void> {
    if (patch.length === 0) return;
    const key = { namespace: metadata?.namespace, name: metadata?.name ?? '' };
    const same = stillHas('/metadata/uid', metadata?.uid);
    await patchGuarded(
      this.#options.client,
      resources.virtualMachineInstances,
      key,
      [same, ...patch],
      signal,
    );
  }

  async releaseIfDeleted(backup: VirtualMachineBackup, signal: AbortSignal): Promise<void> {
    if (backup.metadata?.deletionTimestamp !== undefined) await this.release(backup, signal);
  }

  /** The object may go. */
  release(backup: VirtualMachineBackup, signal: AbortSignal): Promise<void> {
    return setFinalizer(this.#options.client, vmBackups, backup, finalizers.backup, false, signal);
  }

  /** The status, where it is another one. */
  async write(backup: VirtualMachineBackup, status: Status, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const { namespace, name = '' } = backup.metadata ?? {};
    const newest = (await client.find(vmBackups, { namespace, name }, signal)) ?? backup;
    if (!deepEqual(status, newest.status ?? {}))
      await client.updateStatus(vmBackups, { ...newest, status }, {}, signal);
  }
}
