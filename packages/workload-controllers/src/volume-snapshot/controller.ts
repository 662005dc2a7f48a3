/** VolumeSnapshots of local volumes (snapshot.storage.k8s.io/v1): what is desired, and the copy that is made of it. */
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  VolumeSnapshot,
  VolumeSnapshotContent,
} from '@podvisor/api';
import { isStatus, messageOf, parseQuantity, rfc3339 } from '@podvisor/base';
import {
  controller,
  EventRecorder,
  type Indexers,
  type Informer,
  keyOf,
  onChange,
  type ReconcileResult,
  resources,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import type { StorageObjects } from '../storage-objects.ts';
import { snapshotNameFor, type VolumeData } from '@podvisor/home-contract';
import { writersOf } from '../volume/reconcile.ts';
import {
  CONTENT_FINALIZER,
  type ContentAction,
  decideContent,
  decideSnapshot,
  SNAPSHOT_FINALIZERS,
  type SnapshotAction,
  type SnapshotView,
} from './reconcile.ts';

export interface SnapshotControllerOptions extends ControllerOptions {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly storage: StorageObjects;
  /** Who has the disk. */
  readonly data: VolumeData;
  /** With `podClaimIndexes`. */
  readonly pods: Informer<Pod>;
}

/** A snapshot whose claim is missing or not bound is looked at again when something changes, and then. */
const RETRY_MS = 10_000;

/** Snapshots that are not ready: all of them, for a class that changed, and those of a claim. */
const UNREADY = 'unready';
const UNREADY_OF_CLAIM = 'unreadyOfClaim';
const isReady = ({ status }: VolumeSnapshot): boolean => status?.readyToUse === true;

const snapshotIndexes: Indexers<VolumeSnapshot> = {
  [UNREADY]: (snapshot) => (isReady(snapshot) ? [] : ['']),
  [UNREADY_OF_CLAIM]: (snapshot) => {
    const claim = snapshot.spec.source.persistentVolumeClaimName;
    return claim === undefined || isReady(snapshot) ? [] : [`${snapshot.metadata.namespace}/${claim}`];
  },
};

/** The rows of VolumeSnapshots and of their contents. Adds indexes to the cache of snapshots: it is empty yet. */
export function volumeSnapshotControllers(options: SnapshotControllerOptions): readonly TableController[] {
  options.storage.snapshots.addIndexers(snapshotIndexes);
  const steps = new SnapshotController(options);
  return [
    controller({
      name: 'volume-snapshot',
      wakes: [(wake) => wakeSnapshots(options, wake)],
      steps: {
        observe: (key) => observeSnapshot(options, key),
        plan: ({ snapshot, view }) => decideSnapshot(snapshot, view),
        apply: (action, { snapshot }, signal) => steps.applySnapshot(snapshot, action, signal),
      },
    }),
    controller({
      name: 'volume-snapshot-content',
      wakes: [(wake) => wakeContents(options, wake)],
      steps: {
        observe: (name, signal) => observeContent(options, name, signal),
        plan: ({ content, isSnapshotGone }) => decideContent(content, isSnapshotGone),
        apply: (action, { content }, signal) => steps.applyContent(content, action, signal),
      },
    }),
  ];
}

interface SnapshotObservation {
  readonly snapshot: VolumeSnapshot;
  readonly view: SnapshotView;
}

async function observeSnapshot(
  { claims, volumes, storage }: SnapshotControllerOptions,
  key: string,
): Promise<SnapshotObservation | undefined> {
  // What was not read yet is unknown, not missing.
  await Promise.all([claims, volumes, storage.contents, storage.classes].map((cache) => cache.synced()));
  const snapshot = storage.snapshots.get(key);
  if (snapshot === undefined) return undefined;
  const { namespace } = snapshot.metadata;
  const view = {
    claim: (claim: string) => claims.get(`${namespace}/${claim}`),
    volume: (volume: string) => volumes.get(volume),
    content: (content: string) => storage.contents.get(content),
    classes: storage.classes.list(),
  };
  return { snapshot, view };
}

interface ContentObservation {
  readonly content: VolumeSnapshotContent;
  readonly isSnapshotGone: boolean;
}

async function observeContent(
  { client, storage }: SnapshotControllerOptions,
  contentName: string,
  signal: AbortSignal,
): Promise<ContentObservation | undefined> {
  const content = storage.contents.get(contentName);
  if (content === undefined) return undefined;
  if (content.metadata.deletionTimestamp === undefined) return { content, isSnapshotGone: false };
  // The server is asked: that our cache does not know the snapshot proves nothing.
  const { namespace, name = '', uid } = content.spec.volumeSnapshotRef;
  const live = await client.find(resources.volumeSnapshots, { namespace, name }, signal);
  const isSnapshotGone =
    live === undefined || live.metadata.uid !== uid || live.metadata.deletionTimestamp !== undefined;
  return { content, isSnapshotGone };
}

function wakeSnapshots({ claims, storage }: SnapshotControllerOptions, wake: Wake): void {
  const unready = (): readonly string[] => storage.snapshots.byIndex(UNREADY, '').map(keyOf);
  const ofClaim = (claim: PersistentVolumeClaim): void =>
    storage.snapshots.byIndex(UNREADY_OF_CLAIM, keyOf(claim)).forEach((found) => wake(keyOf(found)));
  onChange(storage.snapshots, (snapshot) => [keyOf(snapshot)], ['add', 'update'])(wake);
  onChange(storage.contents, ({ spec }) => {
    const { namespace, name } = spec.volumeSnapshotRef;
    return [`${namespace}/${name}`];
  })(wake);
  onChange(storage.classes, unready, ['add', 'update'])(wake);
  claims.on({
    add: ofClaim,
    update: (claim, old) => {
      if (claim.status?.phase !== old.status?.phase) ofClaim(claim);
    },
  });
}

function wakeContents({ storage }: SnapshotControllerOptions, wake: Wake): void {
  onChange(storage.contents, (content) => [keyOf(content)])(wake);
  const ofSnapshot = ({ status }: VolumeSnapshot): void => {
    const name = status?.boundVolumeSnapshotContentName;
    if (name !== undefined) wake(name);
  };
  storage.snapshots.on({
    update: (snapshot) => {
      if (snapshot.metadata.deletionTimestamp !== undefined) ofSnapshot(snapshot);
    },
    delete: ofSnapshot,
  });
}

class SnapshotController {
  readonly #options: SnapshotControllerOptions;
  readonly #events: EventRecorder;

  constructor(options: SnapshotControllerOptions) {
    this.#options = options;
    this.#events = new EventRecorder({ ...options, component: 'snapshot-controller' });
  }

  async applySnapshot(
    snapshot: VolumeSnapshot,
    action: SnapshotAction,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { client } = this.#options;
    const { namespace, name = '', finalizers = [] } = snapshot.metadata;
    const where = { namespace, name };
    const key = keyOf(snapshot);
    const patch = (body: object): Promise<unknown> =>
      client.patch(resources.volumeSnapshots, where, { type: 'merge', body }, signal);
    switch (action.kind) {
      case 'none':
        return;
      case 'protect':
        await patch(guarded(snapshot, [...new Set([...finalizers, ...SNAPSHOT_FINALIZERS])]));
        return;
      case 'release':
        await patch(
          guarded(
            snapshot,
            finalizers.filter((finalizer) => !SNAPSHOT_FINALIZERS.includes(finalizer)),
          ),
        );
        return;
      case 'delete-content':
        return ignoreGone(client.delete(resources.volumeSnapshotContents, { name: action.name }, {}, signal));
      case 'set-class':
        await patch({ spec: { volumeSnapshotClassName: action.className } });
        return;
      case 'create-content':
        this.#events.event(
          snapshot,
          'Normal',
          'CreatingSnapshot',
          `Waiting for a snapshot ${key} to be created by the driver.`,
        );
        return ignoreExisting(client.create(resources.volumeSnapshotContents, action.content, {}, signal));
      case 'bind-content': {
        const body = {
          metadata: { resourceVersion: action.content.metadata.resourceVersion },
          spec: { volumeSnapshotRef: { uid: snapshot.metadata.uid } },
        };
        const content = { name: action.content.metadata.name ?? '' };
        await client.patch(resources.volumeSnapshotContents, content, { type: 'merge', body }, signal);
        return;
      }
      case 'set-status': {
        const body = { status: { ...action.status, error: action.status?.error ?? null } };
        await client.patch(
          resources.volumeSnapshots,
          where,
          { type: 'merge', body, subresource: 'status' },
          signal,
        );
        if (action.status?.readyToUse === true)
          this.#events.event(snapshot, 'Normal', 'SnapshotReady', `Snapshot ${key} is ready to use.`);
        return;
      }
      case 'fail':
        return this.#fail(snapshot, action.message, signal);
    }
  }

  async #fail(
    snapshot: VolumeSnapshot,
    message: string,
    signal: AbortSignal,
  ): Promise<{ requeueAfterMs: number }> {
    const { client, clock } = this.#options;
    if (snapshot.status?.error?.message !== message) {
      const { namespace, name = '' } = snapshot.metadata;
      const body = { status: { readyToUse: false, error: { message, time: rfc3339(clock.now()) } } };
      await client.patch(
        resources.volumeSnapshots,
        { namespace, name },
        { type: 'merge', body, subresource: 'status' },
        signal,
      );
      this.#events.event(snapshot, 'Warning', 'SnapshotContentCreationFailed', message);
    }
    return { requeueAfterMs: RETRY_MS };
  }

  async applyContent(
    content: VolumeSnapshotContent,
    action: ContentAction,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { data } = this.#options;
    if (action.kind === 'none') return;
    if (action.kind === 'remove') {
      if (action.handle !== undefined) await data.removeSnapshot(action.handle, signal);
      await this.#releaseContent(content, signal);
      return;
    }
    try {
      if (action.kind === 'take') await this.#take(content, action.volumeName, signal);
      else await this.#adopt(content, action.handle, signal);
    } catch (error) {
      if (signal.aborted) return;
      await this.#contentFailed(content, messageOf(error), signal);
      throw error;
    }
  }

  async #take(content: VolumeSnapshotContent, volumeName: string, signal: AbortSignal): Promise<void> {
    const { volumes, data, clock } = this.#options;
    const volume = volumes.get(volumeName);
    if (volume === undefined) throw new Error(`volume ${volumeName} does not exist`);
    const handle = snapshotNameFor(content.spec.volumeSnapshotRef.uid ?? '');
    await data.takeSnapshot(handle, volumeName, this.#writersOf(volume), signal);
    const restoreSize = parseQuantity(volume.spec.capacity?.['storage'] ?? 0).value();
    await this.#ready(
      content,
      { snapshotHandle: handle, restoreSize, creationTime: clock.now() * 1e6 },
      signal,
    );
  }

  /** UIDs of Pods that may write to the volume; a Pod that only holds it for another one brings that along. */
  #writersOf(volume: PersistentVolume): readonly string[] {
    const { namespace = '', name = '' } = volume.spec.claimRef ?? {};
    const writers = writersOf(name, this.#options.pods.byIndex('claim', `${namespace}/${name}`));
    const owners = writers.flatMap(({ metadata }) =>
      (metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'Pod').map(({ uid }) => uid),
    );
    return [...new Set([...writers.map(({ metadata }) => metadata.uid ?? ''), ...owners])];
  }

  async #adopt(content: VolumeSnapshotContent, handle: string, signal: AbortSignal): Promise<void> {
    const { data, clock } = this.#options;
    if (!(await data.hasSnapshot(handle, signal)))
      throw new Error(`there is no snapshot ${handle} on this machine`);
    await this.#ready(
      content,
      { snapshotHandle: handle, restoreSize: 0, creationTime: clock.now() * 1e6 },
      signal,
    );
  }

  async #ready(content: VolumeSnapshotContent, facts: object, signal: AbortSignal): Promise<void> {
    const body = { status: { ...facts, readyToUse: true, error: null } };
    await this.#options.client.patch(
      resources.volumeSnapshotContents,
      { name: content.metadata.name ?? '' },
      { type: 'merge', body, subresource: 'status' },
      signal,
    );
  }

  async #contentFailed(content: VolumeSnapshotContent, message: string, signal: AbortSignal): Promise<void> {
    if (content.status?.error?.message === message) return;
    const { client, clock } = this.#options;
    const body = { status: { readyToUse: false, error: { message, time: rfc3339(clock.now()) } } };
    await client.patch(
      resources.volumeSnapshotContents,
      { name: content.metadata.name ?? '' },
      { type: 'merge', body, subresource: 'status' },
      signal,
    );
    this.#events.event(content, 'Warning', 'SnapshotCreationFailed', message);
  }

  async #releaseContent(content: VolumeSnapshotContent, signal: AbortSignal): Promise<void> {
    const finalizers = (content.metadata.finalizers ?? []).filter((name) => name !== CONTENT_FINALIZER);
    await ignoreGone(
      this.#options.client.patch(
        resources.volumeSnapshotContents,
        { name: content.metadata.name ?? '' },
        { type: 'merge', body: guarded(content, finalizers) },
        signal,
      ),
    );
  }
}

/** Finalizers are a list: written only on top of the version that was read. */
function guarded(
  { metadata }: VolumeSnapshot | VolumeSnapshotContent,
  finalizers: readonly string[],
): object {
  return { metadata: { resourceVersion: metadata.resourceVersion, finalizers } };
}

async function ignoreGone(call: Promise<unknown>): Promise<undefined> {
  await call.catch((error: unknown) => {
    if (!isStatus(error, 'NotFound')) throw error;
  });
}

async function ignoreExisting(call: Promise<unknown>): Promise<undefined> {
  await call.catch((error: unknown) => {
    if (!isStatus(error, 'AlreadyExists')) throw error;
  });
}
