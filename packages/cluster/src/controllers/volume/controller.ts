/** Binds claims to volumes and provides local ones (StorageClass `local`). */
import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '@podvisor/api';
import { Amount, type Clock, isStatus, parseQuantity } from '@podvisor/base';
import {
  EventRecorder,
  type Informer,
  type KubeClient,
  keyOf,
  type Log,
  resources,
  runController,
  WorkQueue,
} from '@podvisor/kube';
import { makeLocalData, removeLocalData, volumeNameFor } from './local-data.ts';
import { bindClaim, bindVolume, localVolume } from './manifests.ts';
import { CLAIM_PROTECTION, decideClaim, decideVolume, usersOf, VOLUME_PROTECTION } from './reconcile.ts';

export interface VolumeControllerOptions {
  readonly client: KubeClient;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
  /** Where data lies. */
  readonly directory: string;
  /** Nodes that reach it: all of this machine. */
  readonly nodeNames: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

export function runVolumeController(options: VolumeControllerOptions, signal: AbortSignal): Promise<unknown> {
  const { claims, volumes, classes, pods, clock, log } = options;
  const claimQueue = new WorkQueue({ clock });
  const volumeQueue = new WorkQueue({ clock });
  const controller = new VolumeController(options);
  const addClaim = (claim: PersistentVolumeClaim): void => claimQueue.add(keyOf(claim));
  const addVolume = (volume: PersistentVolume): void => volumeQueue.add(keyOf(volume));
  const unboundClaims = (): void => {
    for (const claim of claims.list()) if (claim.status?.phase !== 'Bound') addClaim(claim);
  };
  const claimsOf = (pod: Pod): void => {
    for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
      if (persistentVolumeClaim !== undefined)
        claimQueue.add(`${pod.metadata.namespace}/${persistentVolumeClaim.claimName}`);
    }
  };
  claims.on({
    add: addClaim,
    update: addClaim,
    delete: (claim) => volumeQueue.add(claim.spec.volumeName ?? volumeNameFor(claim.metadata.uid ?? '')),
  });
  volumes.on({
    add: (volume) => {
      addVolume(volume);
      unboundClaims();
    },
    update: (volume) => {
      addVolume(volume);
      const { namespace, name } = volume.spec.claimRef ?? {};
      if (name !== undefined) claimQueue.add(`${namespace}/${name}`);
    },
    delete: (volume) => {
      const { namespace, name } = volume.spec.claimRef ?? {};
      if (name !== undefined) claimQueue.add(`${namespace}/${name}`);
    },
  });
  classes.on({ add: unboundClaims, update: unboundClaims });
  pods.on({
    add: claimsOf,
    update: (pod, old) => {
      if (pod.status?.phase !== old.status?.phase) claimsOf(pod);
    },
    delete: claimsOf,
  });
  return Promise.all([
    runController(
      {
        name: 'claim',
        queue: claimQueue,
        workers: 4,
        log,
        reconcile: (key, end) => controller.reconcileClaim(key, end),
      },
      signal,
    ),
    runController(
      {
        name: 'volume',
        queue: volumeQueue,
        workers: 4,
        log,
        reconcile: (key, end) => controller.reconcileVolume(key, end),
      },
      signal,
    ),
  ]);
}

class VolumeController {
  readonly #options: VolumeControllerOptions;
  readonly #events: EventRecorder;

  constructor(options: VolumeControllerOptions) {
    const { client, clock, log } = options;
    this.#options = options;
    this.#events = new EventRecorder({ client, component: 'persistentvolume-controller', clock, log });
  }

  async reconcileClaim(key: string, signal: AbortSignal): Promise<void> {
    const { client, claims, volumes, classes, pods } = this.#options;
    const claim = claims.get(key);
    if (claim === undefined) return;
    const action = decideClaim(claim, {
      volumes: volumes.list(),
      classes: classes.list(),
      users: usersOf(claim, pods.byIndex('namespace', claim.metadata.namespace ?? '')),
    });
    const { namespace, name = '', resourceVersion } = claim.metadata;
    switch (action.kind) {
      case 'none':
        return;
      case 'release-protection': {
        const finalizers = (claim.metadata.finalizers ?? []).filter(
          (finalizer) => finalizer !== CLAIM_PROTECTION,
        );
        await client.patch(
          resources.persistentVolumeClaims,
          { namespace, name },
          { type: 'merge', body: { metadata: { resourceVersion, finalizers } } },
          signal,
        );
        return;
      }
      case 'set-class':
        await client.patch(
          resources.persistentVolumeClaims,
          { namespace, name },
          {
            type: 'merge',
            body: { metadata: { resourceVersion }, spec: { storageClassName: action.className } },
          },
          signal,
        );
        return;
      case 'bind':
        return this.#bind(claim, action.volume, signal);
      case 'provision':
        return this.#provision(claim, action.storageClass, signal);
      case 'lost':
        await client.patch(
          resources.persistentVolumeClaims,
          { namespace, name },
          { type: 'merge', body: { status: { phase: 'Lost' } }, subresource: 'status' },
          signal,
        );
        this.#tell(
          claim,
          'Warning',
          'ClaimLost',
          `Bound claim has lost its PersistentVolume ${action.volumeName}. Data on the volume is lost!`,
        );
        return;
      case 'wait':
        this.#tell(
          claim,
          action.reason === 'ProvisioningFailed' ? 'Warning' : 'Normal',
          action.reason,
          action.message,
        );
    }
  }

  async reconcileVolume(name: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#settleVolume(name, signal);
    } catch (error) {
      // Our cache was behind: the volume is gone already.
      if (!isStatus(error, 'NotFound')) throw error;
    }
  }

  async #settleVolume(name: string, signal: AbortSignal): Promise<void> {
    const { client, volumes, claims, directory } = this.#options;
    const volume = volumes.get(name);
    if (volume === undefined) return;
    const { namespace, name: claimName = '', uid } = volume.spec.claimRef ?? {};
    const cached = claims.get(`${namespace}/${claimName}`);
    let action = decideVolume(volume, cached?.metadata.uid === uid ? 'present' : 'unknown');
    if (action.kind === 'check-claim') {
      const live = await client.find(
        resources.persistentVolumeClaims,
        { namespace, name: claimName },
        signal,
      );
      action = decideVolume(volume, live?.metadata.uid === uid ? 'present' : 'absent');
    }
    if (action.kind === 'set-phase') {
      const body = { status: { phase: action.phase } };
      await client.patch(
        resources.persistentVolumes,
        { name },
        { type: 'merge', body, subresource: 'status' },
        signal,
      );
    } else if (action.kind === 'delete-data') {
      await removeLocalData(directory, name);
      await this.#dropVolume(volume, signal);
    } else if (action.kind === 'release-protection') {
      await this.#releaseVolume(volume, signal);
    }
  }

  async #provision(
    claim: PersistentVolumeClaim,
    storageClass: StorageClass,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, directory, nodeNames } = this.#options;
    const name = volumeNameFor(claim.metadata.uid ?? '');
    const size = parseQuantity(claim.spec.resources?.requests?.['storage'] ?? 0);
    const mode = claim.spec.volumeMode ?? 'Filesystem';
    const path = await makeLocalData(directory, name, mode, size.value());
    const capacity = Amount.ofBytes(size.value()).toString();
    const volume = await client.create(
      resources.persistentVolumes,
      localVolume({ name, path, capacity, claim, storageClass, nodeNames }),
      {},
      signal,
    );
    this.#tell(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
    await this.#bind(claim, volume, signal);
  }

  /** Volume first: it then belongs to the claim, whatever happens in between. */
  async #bind(claim: PersistentVolumeClaim, volume: PersistentVolume, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const { namespace, name = '', uid } = claim.metadata;
    const volumeKey = { name: volume.metadata.name ?? '' };
    if (volume.spec.claimRef?.['uid'] !== uid) {
      await client.patch(
        resources.persistentVolumes,
        volumeKey,
        { type: 'merge', body: bindVolume(volume, claim) },
        signal,
      );
    }
    if (volume.status?.phase !== 'Bound') {
      await client.patch(
        resources.persistentVolumes,
        volumeKey,
        { type: 'merge', body: { status: { phase: 'Bound' } }, subresource: 'status' },
        signal,
      );
    }
    const binding = bindClaim(claim, volume);
    if (binding !== undefined) {
      await client.patch(
        resources.persistentVolumeClaims,
        { namespace, name },
        { type: 'merge', body: binding },
        signal,
      );
    }
    const status = { phase: 'Bound', accessModes: volume.spec.accessModes, capacity: volume.spec.capacity };
    await client.patch(
      resources.persistentVolumeClaims,
      { namespace, name },
      { type: 'merge', body: { status }, subresource: 'status' },
      signal,
    );
  }

  async #dropVolume(volume: PersistentVolume, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    await client.delete(
      resources.persistentVolumes,
      { name: volume.metadata.name ?? '' },
      { preconditions: { uid: volume.metadata.uid } },
      signal,
    );
    await this.#releaseVolume(volume, signal);
  }

  async #releaseVolume(volume: PersistentVolume, signal: AbortSignal): Promise<void> {
    const finalizers = volume.metadata.finalizers ?? [];
    if (!finalizers.includes(VOLUME_PROTECTION)) return;
    const body = {
      metadata: { finalizers: finalizers.filter((finalizer) => finalizer !== VOLUME_PROTECTION) },
    };
    await this.#options.client.patch(
      resources.persistentVolumes,
      { name: volume.metadata.name ?? '' },
      { type: 'merge', body },
      signal,
    );
  }

  #tell(claim: PersistentVolumeClaim, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.event(claim, type, reason, message);
  }
}
