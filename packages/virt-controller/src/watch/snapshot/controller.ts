/**
 * Takes snapshots of VMs: the VM is locked, its guest frozen through the agent, a VolumeSnapshot asked for each
 * claim, the guest thawed as soon as all are taken, the VM unlocked. Each pass looks at what is there and does what
 * is missing, so a pass that was cut short is simply continued. The launcher thaws by itself at the deadline.
 */
import {
  movesVolumes,
  type ControllerRevision,
  finalizers,
  type StorageClass,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
  type VolumeSnapshot,
} from '@podvisor/api';
import { type Clock, deepEqual, isStatus } from '@podvisor/base';
import { type KubeClient, type ReconcileResult, resources } from '@podvisor/kube';
import { vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import type { Recorder } from '../recorder.ts';
import { isFinal } from '../vmi-phase.ts';
import { needsRecovery } from '../volume-migration/status.ts';
import { specOfRevision } from '../vm/revision.ts';
import { buildContent, claimsOf, contentName, type SourceVolume } from './content.ts';
import { setFinalizer } from './finalizers.ts';
import type { GuestFreezer } from './guest-freezer.ts';
import { snapshotClassOf } from './snapshot-class.ts';
import {
  contentStatus,
  deadlineMs,
  indicationsOf,
  snapshotStatus,
  type SnapshotProgress,
  withIndications,
} from './status.ts';

export interface SnapshotControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'list' | 'create' | 'patch' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly freezer: GuestFreezer;
  snapshot(key: string): VirtualMachineSnapshot | undefined;
  /** False when the cluster serves no VolumeSnapshots. */
  volumeSnapshotsServed(): boolean;
}

type Finished = 'Succeeded' | 'Failed';

export class SnapshotController {
  readonly #options: SnapshotControllerOptions;

  constructor(options: SnapshotControllerOptions) {
    this.#options = options;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { client } = this.#options;
    const cached = this.#options.snapshot(key);
    if (cached === undefined) return;
    const { namespace, name = '' } = cached.metadata ?? {};
    const snapshot = await client.find(vmSnapshots, { namespace, name }, signal);
    if (snapshot === undefined) return;
    if (snapshot.metadata?.deletionTimestamp !== undefined) return this.#remove(snapshot, signal);
    const phase = snapshot.status?.phase as Finished | undefined;
    if (phase === 'Succeeded' || phase === 'Failed') return this.#unlock(snapshot, signal);
    await setFinalizer(client, vmSnapshots, snapshot, finalizers.snapshot, true, signal);
    const { clock } = this.#options;
    const limitMs = deadlineMs(snapshot);
    const endsMs = Date.parse(snapshot.metadata?.creationTimestamp ?? '') + (limitMs ?? 0);
    if (limitMs !== undefined && clock.now() >= endsMs)
      return this.#finish(snapshot, { kind: 'failed', message: 'snapshot deadline exceeded' }, signal);
    const progress = await this.#take(snapshot, signal);
    if (progress.kind !== 'progressing') return this.#finish(snapshot, progress, signal);
    return limitMs === undefined ? undefined : { requeueAfterMs: endsMs - clock.now() };
  }

  async #take(snapshot: VirtualMachineSnapshot, signal: AbortSignal): Promise<SnapshotProgress> {
    const { client, clock } = this.#options;
    const { namespace } = snapshot.metadata ?? {};
    const key = { namespace, name: snapshot.spec.source.name };
    const vm = await client.find(resources.virtualMachines, key, signal);
    const waits = async (message: string): Promise<SnapshotProgress> => {
      const progress: SnapshotProgress = { kind: 'progressing', message };
      await this.#write(snapshot, snapshotStatus(snapshot.status ?? {}, progress, clock.now()), signal);
      return progress;
    };
    if (vm === undefined) return waits(`VirtualMachine ${key.name} does not exist`);
    if (!this.#options.volumeSnapshotsServed())
      return waits('This cluster does not serve VolumeSnapshots (snapshot.storage.k8s.io/v1)');
    const holder = vm.status?.snapshotInProgress;
    if (holder !== undefined && holder !== snapshot.metadata?.name)
      return waits(`Waiting for snapshot ${holder} of the same VirtualMachine`);
    if (vm.status?.restoreInProgress !== undefined)
      return waits(`Waiting for restore ${vm.status.restoreInProgress} of the VirtualMachine`);
    const running = await client.find(resources.virtualMachineInstances, key, signal);
    const vmi = running === undefined || isFinal(running) ? undefined : running;
    let content = await client.find(vmSnapshotContents, { namespace, name: contentName(snapshot) }, signal);
    if (content === undefined) {
      // The VM names claims that its data has not reached.
      if (vmi !== undefined ? movesVolumes(vmi) : needsRecovery(vm, running))
        return waits('Waiting until the volumes of the VirtualMachine have moved, or are put back');
      const volumes = await this.#volumes(vm, signal);
      const missing = volumes.find(({ claim }) => claim?.status?.phase !== 'Bound');
      if (missing !== undefined) return waits(`PVC ${missing.claimName} is not bound`);
      if (holder === undefined) await this.#lock(vm, snapshot, signal);
      content = await this.#createContent(snapshot, { vm, vmi, volumes }, signal);
    }
    return this.#takeVolumes(snapshot, content, vmi, signal);
  }

  async #volumes(vm: VirtualMachine, signal: AbortSignal): Promise<readonly SourceVolume[]> {
    const { client } = this.#options;
    const namespace = vm.metadata?.namespace;
    const [storageClasses, snapshotClasses] = await Promise.all([
      client.list(resources.storageClasses, {}, signal),
      client.list(resources.volumeSnapshotClasses, {}, signal),
    ]);
    return Promise.all(
      claimsOf(vm).map(async ({ name, claimName }) => {
        const claim = await client.find(
          resources.persistentVolumeClaims,
          { namespace, name: claimName },
          signal,
        );
        const classes: readonly StorageClass[] = storageClasses.items;
        const snapshotClass =
          claim === undefined ? undefined : snapshotClassOf(claim, classes, snapshotClasses.items);
        return { name, claim, claimName, snapshotClass };
      }),
    );
  }

  async #createContent(
    snapshot: VirtualMachineSnapshot,
    source: {
      readonly vm: VirtualMachine;
      readonly vmi: VirtualMachineInstance | undefined;
      readonly volumes: readonly SourceVolume[];
    },
    signal: AbortSignal,
  ): Promise<VirtualMachineSnapshotContent> {
    const { client, clock } = this.#options;
    const { vm, vmi, volumes } = source;
    const revision = await this.#startRevision(vmi, signal);
    const content = buildContent(snapshot, { vm, vmi, startedFrom: specOfRevision(revision) }, volumes);
    const excluded = volumes.filter((v) => v.snapshotClass === undefined).map(({ name }) => name);
    const included = volumes.filter((v) => v.snapshotClass !== undefined).map(({ name }) => name);
    // Noted before anything is frozen: whoever continues this knows that it must thaw.
    const progress = { kind: 'progressing', message: 'Source locked and operation in progress' } as const;
    await this.#write(
      snapshot,
      {
        ...snapshotStatus(snapshot.status ?? {}, progress, clock.now()),
        sourceUID: vm.metadata?.uid,
        virtualMachineSnapshotContentName: contentName(snapshot),
        ...withIndications(indicationsOf(vmi, excluded)),
        snapshotVolumes: {
          ...(included.length === 0 ? {} : { includedVolumes: included }),
          ...(excluded.length === 0 ? {} : { excludedVolumes: excluded }),
        },
      },
      signal,
    );
    try {
      return await client.create(vmSnapshotContents, content, {}, signal);
    } catch (error) {
      if (!isStatus(error, 'AlreadyExists')) throw error;
      const { namespace, name = '' } = content.metadata ?? {};
      return (await client.find(vmSnapshotContents, { namespace, name }, signal)) ?? content;
    }
  }

  #startRevision(
    vmi: VirtualMachineInstance | undefined,
    signal: AbortSignal,
  ): Promise<ControllerRevision | undefined> {
    const name = vmi?.status?.virtualMachineRevisionName;
    if (vmi === undefined || name === undefined) return Promise.resolve(undefined);
    const key = { namespace: vmi.metadata?.namespace, name };
    return this.#options.client.find(resources.controllerRevisions, key, signal);
  }

  async #takeVolumes(
    snapshot: VirtualMachineSnapshot,
    content: VirtualMachineSnapshotContent,
    vmi: VirtualMachineInstance | undefined,
    signal: AbortSignal,
  ): Promise<SnapshotProgress> {
    const { client, clock, freezer } = this.#options;
    const namespace = snapshot.metadata?.namespace;
    const backups = content.spec.volumeBackups ?? [];
    const names = backups.flatMap(({ volumeSnapshotName }) => volumeSnapshotName ?? []);
    const find = async (): Promise<ReadonlyMap<string, VolumeSnapshot>> => {
      const all = await Promise.all(
        names.map((name) => client.find(resources.volumeSnapshots, { namespace, name }, signal)),
      );
      return new Map(
        all.flatMap((found) => (found === undefined ? [] : [[found.metadata.name ?? '', found]])),
      );
    };
    let taken = await find();
    const fresh =
      (await client.find(vmSnapshots, { namespace, name: snapshot.metadata?.name ?? '' }, signal)) ??
      snapshot;
    const quiesces = fresh.status?.indications?.includes('GuestAgent') === true && vmi !== undefined;
    if (taken.size < names.length) {
      if (quiesces) await freezer.freeze(vmi, deadlineMs(snapshot) ?? 0, signal);
      await this.#createVolumeSnapshots(snapshot, content, taken, signal);
      taken = await find();
    }
    const status = contentStatus(names, taken, clock.now(), content.status);
    // Thawed as soon as every disk is taken; making them usable may take longer.
    if (quiesces && status.creationTime !== undefined && content.status?.creationTime === undefined)
      await freezer.unfreeze(vmi, signal);
    if (!deepEqual(status, content.status ?? {}))
      await client.updateStatus(vmSnapshotContents, { ...content, status }, {}, signal);
    if (status.readyToUse === true && typeof status.creationTime === 'string')
      return { kind: 'done', creationTime: status.creationTime };
    return { kind: 'progressing', message: 'Source locked and operation in progress' };
  }

  async #createVolumeSnapshots(
    snapshot: VirtualMachineSnapshot,
    content: VirtualMachineSnapshotContent,
    taken: ReadonlyMap<string, VolumeSnapshot>,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, recorder } = this.#options;
    const namespace = snapshot.metadata?.namespace;
    const [storageClasses, snapshotClasses] = await Promise.all([
      client.list(resources.storageClasses, {}, signal),
      client.list(resources.volumeSnapshotClasses, {}, signal),
    ]);
    for (const { volumeSnapshotName: name, persistentVolumeClaim } of content.spec.volumeBackups ?? []) {
      if (name === undefined || taken.has(name)) continue;
      const claim = persistentVolumeClaim.metadata?.name ?? '';
      const found = await client.find(resources.persistentVolumeClaims, { namespace, name: claim }, signal);
      const volumeSnapshotClassName =
        found === undefined ? undefined : snapshotClassOf(found, storageClasses.items, snapshotClasses.items);
      const wish: VolumeSnapshot = {
        apiVersion: 'snapshot.storage.k8s.io/v1',
        kind: 'VolumeSnapshot',
        metadata: {
          name,
          namespace,
          labels: { 'snapshot.kubevirt.io/source-vm-name': snapshot.spec.source.name },
          ownerReferences: [
            {
              apiVersion: 'snapshot.kubevirt.io/v1beta1',
              kind: 'VirtualMachineSnapshotContent',
              name: content.metadata?.name ?? '',
              uid: content.metadata?.uid ?? '',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        spec: {
          source: { persistentVolumeClaimName: claim },
          ...(volumeSnapshotClassName === undefined ? {} : { volumeSnapshotClassName }),
        },
      };
      try {
        await client.create(resources.volumeSnapshots, wish, {}, signal);
        recorder.event(
          snapshot,
          'Normal',
          'SuccessfulVolumeSnapshotCreate',
          `Created VolumeSnapshot ${name}`,
        );
      } catch (error) {
        if (!isStatus(error, 'AlreadyExists')) throw error;
      }
    }
  }

  async #finish(
    snapshot: VirtualMachineSnapshot,
    progress: SnapshotProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, clock, recorder, freezer } = this.#options;
    const { namespace, name = '' } = snapshot.metadata ?? {};
    const now = (await client.find(vmSnapshots, { namespace, name }, signal)) ?? snapshot;
    if (progress.kind === 'failed') {
      const vmi = await client.find(
        resources.virtualMachineInstances,
        { namespace, name: snapshot.spec.source.name },
        signal,
      );
      if (vmi !== undefined && now.status?.indications?.includes('GuestAgent'))
        await freezer.unfreeze(vmi, signal).catch(() => undefined); // the launcher thaws by itself
      await this.#deleteContent(now, signal);
    }
    await this.#write(now, snapshotStatus(now.status ?? {}, progress, clock.now()), signal);
    await this.#unlock(now, signal);
    if (progress.kind === 'failed') recorder.event(now, 'Warning', 'SnapshotFailed', progress.message);
  }

  async #lock(vm: VirtualMachine, snapshot: VirtualMachineSnapshot, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    await setFinalizer(client, resources.virtualMachines, vm, finalizers.snapshotSource, true, signal);
    const status = { snapshotInProgress: snapshot.metadata?.name };
    const { namespace, name = '', uid } = vm.metadata ?? {};
    const patch = { type: 'merge', subresource: 'status', body: { metadata: { uid }, status } } as const;
    await client.patch(resources.virtualMachines, { namespace, name }, patch, signal);
  }

  async #unlock(snapshot: VirtualMachineSnapshot, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const key = { namespace: snapshot.metadata?.namespace, name: snapshot.spec.source.name };
    const vm = await client.find(resources.virtualMachines, key, signal);
    if (vm === undefined || vm.status?.snapshotInProgress !== snapshot.metadata?.name) return;
    const body = { status: { snapshotInProgress: null } };
    await client.patch(
      resources.virtualMachines,
      key,
      { type: 'merge', subresource: 'status', body },
      signal,
    );
    await setFinalizer(client, resources.virtualMachines, vm, finalizers.snapshotSource, false, signal);
  }

  async #remove(snapshot: VirtualMachineSnapshot, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    await this.#unlock(snapshot, signal);
    if (snapshot.spec.deletionPolicy !== 'Retain' && (await this.#deleteContent(snapshot, signal))) return;
    await setFinalizer(client, vmSnapshots, snapshot, finalizers.snapshot, false, signal);
  }

  /** True while the content is still there. */
  async #deleteContent(snapshot: VirtualMachineSnapshot, signal: AbortSignal): Promise<boolean> {
    const { client } = this.#options;
    const key = { namespace: snapshot.metadata?.namespace, name: contentName(snapshot) };
    const content = await client.find(vmSnapshotContents, key, signal);
    if (content === undefined) return false;
    if (content.metadata?.deletionTimestamp === undefined)
      await client.delete(vmSnapshotContents, key, {}, signal);
    return true;
  }

  async #write(
    snapshot: VirtualMachineSnapshot,
    status: NonNullable<VirtualMachineSnapshot['status']>,
    signal: AbortSignal,
  ): Promise<void> {
    const { client } = this.#options;
    const { namespace, name = '' } = snapshot.metadata ?? {};
    const now = (await client.find(vmSnapshots, { namespace, name }, signal)) ?? snapshot;
    if (!deepEqual(status, now.status ?? {}))
      await client.updateStatus(vmSnapshots, { ...now, status }, {}, signal);
  }
}
