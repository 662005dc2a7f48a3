/** VolumeSnapshots of local volumes (snapshot.storage.k8s.io/v1) and their contents: what is seen of them, and what wakes them. */
import type { PersistentVolumeClaim, VolumeSnapshot, VolumeSnapshotContent } from '@podvisor/api';
import {
  controller,
  EventRecorder,
  type Indexers,
  type Informer,
  keyOf,
  onChange,
  resources,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import type { StorageObjects } from '../storage-objects.ts';
import { ContentApplier, type ContentApplierOptions } from './apply-content.ts';
import { SnapshotApplier } from './apply-snapshot.ts';
import { decideContent, decideSnapshot, type SnapshotView } from './reconcile.ts';

export interface SnapshotControllerOptions extends ControllerOptions, ContentApplierOptions {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly storage: StorageObjects;
}

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
  const events = new EventRecorder({ ...options, component: 'snapshot-controller' });
  const snapshots = new SnapshotApplier(options, events);
  const contents = new ContentApplier(options, events);
  return [
    controller({
      name: 'volume-snapshot',
      wakes: [(wake) => wakeSnapshots(options, wake)],
      steps: {
        observe: (key) => observeSnapshot(options, key),
        plan: ({ snapshot, view }) => decideSnapshot(snapshot, view),
        apply: (action, { snapshot }, signal) => snapshots.apply(snapshot, action, signal),
      },
    }),
    controller({
      name: 'volume-snapshot-content',
      wakes: [(wake) => wakeContents(options, wake)],
      steps: {
        observe: (name, signal) => observeContent(options, name, signal),
        plan: ({ content, isSnapshotGone }) => decideContent(content, isSnapshotGone),
        apply: (action, { content }, signal) => contents.apply(content, action, signal),
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
