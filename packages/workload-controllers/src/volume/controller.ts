/** Binds claims to volumes and provides local ones (StorageClass `local`). */
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
  usersOf,
} from '@podvisor/api';
import { Amount, isStatus, parseQuantity } from '@podvisor/base';
import {
  EventRecorder,
  type Informer,
  keyOf,
  resources,
  onChange,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import { type Content, type VolumeData, volumeNameFor } from '@podvisor/home-contract';
import type { ControllerOptions } from '../controller-options.ts';
import { expandVolume } from './expand.ts';
import { fillReporter } from './fill-reporter.ts';
import { type Origin, originOf } from './origin.ts';
import type { StorageObjects } from '../storage-objects.ts';
import { bindClaim, bindVolume, localVolume } from './manifests.ts';
import { CLAIM_PROTECTION, decideClaim, decideVolume, VOLUME_PROTECTION, writersOf } from './reconcile.ts';

export interface VolumeControllerOptions extends ControllerOptions {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
  /** Snapshots and DataVolumes, that a claim may be filled from. */
  readonly storage: StorageObjects;
  /** Who has the disk. */
  readonly data: VolumeData;
  /** Name of the instance: all nodes of the machine carry it. */
  readonly instance: string;
}

/** The rows of claims and of volumes. */
export function volumeControllers(options: VolumeControllerOptions): readonly TableController[] {
  const steps = new VolumeController(options);
  return [
    {
      name: 'claim',
      // A copy keeps its worker busy.
      workers: 16,
      connect: (wake) => wakeClaims(options, wake),
      reconcile: (key, end) => steps.reconcileClaim(key, end),
    },
    {
      name: 'volume',
      workers: 4,
      connect: (wake) => wakeVolumes(options, wake),
      reconcile: (key, end) => steps.reconcileVolume(key, end),
    },
  ];
}

function wakeClaims({ claims, volumes, classes, pods, storage }: VolumeControllerOptions, wake: Wake): void {
  const add = (claim: PersistentVolumeClaim): void => wake(keyOf(claim));
  const unbound = (): readonly PersistentVolumeClaim[] =>
    claims.list().filter(({ status }) => status?.phase !== 'Bound');
  /** Claims that may wait for a claim or snapshot. */
  const fed = (): void => unbound().filter(isFed).forEach(add);
  const ofVolume = ({ spec }: PersistentVolume): void => {
    const { namespace, name } = spec.claimRef ?? {};
    if (name !== undefined) wake(`${namespace}/${name}`);
  };
  const ofPod = (pod: Pod): void => {
    const used = (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim: found }) => found ?? []);
    for (const { claimName } of used) wake(`${pod.metadata.namespace}/${claimName}`);
    if (used.length > 0) fed();
  };
  claims.on({
    add,
    update: (claim, old) => {
      add(claim);
      if (claim.status?.phase !== old.status?.phase) fed();
    },
  });
  volumes.on({ add: () => unbound().forEach(add), update: ofVolume, delete: ofVolume });
  classes.on({
    add: () => unbound().forEach(add),
    // It may allow expansion now.
    update: ({ metadata }) => {
      for (const claim of claims.list())
        if (claim.spec.storageClassName === metadata?.name || claim.status?.phase !== 'Bound') add(claim);
    },
  });
  storage.onChange(fed);
  pods.on({
    add: ofPod,
    update: (pod, old) => {
      if (pod.status?.phase !== old.status?.phase) ofPod(pod);
    },
    delete: ofPod,
  });
}

function wakeVolumes({ claims, volumes }: VolumeControllerOptions, wake: Wake): void {
  onChange(volumes, (volume) => [keyOf(volume)], ['add', 'update'])(wake);
  onChange(claims, ({ metadata, spec }) => [spec.volumeName ?? volumeNameFor(metadata.uid ?? '')], [
    'delete',
  ])(wake);
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
      case 'expand':
        return expandVolume(claim, action.volume, { ...this.#options, events: this.#events }, signal);
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
        return this.#wait(claim, action);
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
    const { client, volumes, claims, data } = this.#options;
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
      await data.remove(name, signal);
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
    const { client, data, instance } = this.#options;
    const origin = originOf(claim, this.#originView());
    if (origin.kind === 'wait') return this.#wait(claim, origin);
    const name = volumeNameFor(claim.metadata.uid ?? '');
    const bytes = parseQuantity(claim.spec.resources?.requests?.['storage'] ?? 0).value();
    const mode = claim.spec.volumeMode ?? 'Filesystem';
    const onProgress = fillReporter(claim, this.#options, signal);
    const path = await data.make(name, { mode, bytes, content: contentOf(origin), onProgress }, signal);
    const capacity = Amount.ofBytes(bytes).toString();
    const volume = await client.create(
      resources.persistentVolumes,
      localVolume({ name, path, capacity, claim, storageClass, instance }),
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

  #originView(): Parameters<typeof originOf>[1] {
    const { claims, volumes, storage, pods } = this.#options;
    return {
      claim: (namespace, name) => claims.get(`${namespace}/${name}`),
      volume: (name) => volumes.get(name),
      snapshot: (namespace, name) => storage.snapshots.get(`${namespace}/${name}`),
      snapshotContent: (name) => storage.contents.get(name),
      dataVolume: (namespace, name) => storage.dataVolumes.get(`${namespace}/${name}`),
      dataSource: (namespace, name) => storage.dataSources.get(`${namespace}/${name}`),
      inUse: (namespace, name) => writersOf(name, pods.byIndex('namespace', namespace)).length > 0,
    };
  }

  #wait(
    claim: PersistentVolumeClaim,
    { reason, message }: { readonly reason: string; readonly message: string },
  ): void {
    this.#tell(claim, reason === 'ProvisioningFailed' ? 'Warning' : 'Normal', reason, message);
  }

  #tell(claim: PersistentVolumeClaim, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.event(claim, type, reason, message);
  }
}

function contentOf(origin: Exclude<Origin, { kind: 'wait' }>): Content {
  switch (origin.kind) {
    case 'claim':
      return { kind: 'volume', name: origin.volumeName };
    case 'snapshot':
      return { kind: 'snapshot', name: origin.handle };
    default:
      return origin;
  }
}

/** True when the claim's content comes from another object. */
function isFed({ spec, metadata }: PersistentVolumeClaim): boolean {
  const owned = metadata.ownerReferences?.some(({ kind }) => kind === 'DataVolume') === true;
  return owned || spec.dataSource !== undefined || spec.dataSourceRef !== undefined;
}
