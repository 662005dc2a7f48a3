/**
 * What a VolumeSnapshot or its content needs next, as the snapshot controller and the CSI side of any cluster
 * do it: the snapshot asks, the content is what the storage has. Pure.
 */
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  LOCAL_PROVISIONER,
} from '@podvisor/api';
import { Amount, deepEqual, rfc3339 } from '@podvisor/base';
import { PROVISIONED_BY } from '../volume/provisioned-by.ts';
import { TOO_LONG } from '@podvisor/home-contract';

export const SNAPSHOT_FINALIZERS: readonly string[] = [
  'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection',
  'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection',
];
export const CONTENT_FINALIZER = 'snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection';
const DEFAULT_CLASS = 'snapshot.storage.kubernetes.io/is-default-class';
const API = 'snapshot.storage.k8s.io/v1';

export interface SnapshotView {
  claim(name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  content(name: string): VolumeSnapshotContent | undefined;
  readonly classes: readonly VolumeSnapshotClass[];
}

export type SnapshotAction =
  | { readonly kind: 'none' }
  | { readonly kind: 'protect' }
  | { readonly kind: 'release' }
  | { readonly kind: 'delete-content'; readonly name: string }
  | { readonly kind: 'set-class'; readonly className: string }
  | { readonly kind: 'create-content'; readonly content: VolumeSnapshotContent }
  | { readonly kind: 'bind-content'; readonly content: VolumeSnapshotContent }
  | { readonly kind: 'set-status'; readonly status: VolumeSnapshot['status'] }
  | { readonly kind: 'fail'; readonly message: string };

export function contentNameFor(snapshotUid: string): string {
  return `snapcontent-${snapshotUid}`;
}

export function decideSnapshot(snapshot: VolumeSnapshot, view: SnapshotView): SnapshotAction {
  const { metadata, spec, status } = snapshot;
  const given = spec.source.volumeSnapshotContentName;
  const contentName = given ?? contentNameFor(metadata.uid ?? '');
  const content = view.content(contentName);
  if (metadata.deletionTimestamp !== undefined) return leave(snapshot, content);
  if (!SNAPSHOT_FINALIZERS.every((name) => metadata.finalizers?.includes(name) === true))
    return { kind: 'protect' };
  if (content === undefined) {
    if (given !== undefined) return { kind: 'fail', message: `VolumeSnapshotContent ${given} is missing` };
    if (status?.boundVolumeSnapshotContentName !== undefined && status.readyToUse === true)
      return { kind: 'fail', message: 'VolumeSnapshotContent is missing' };
    return takeFrom(snapshot, view);
  }
  const reference = content.spec.volumeSnapshotRef;
  if (reference.name !== metadata.name || reference.namespace !== metadata.namespace)
    return {
      kind: 'fail',
      message: `VolumeSnapshotContent ${contentName} is bound to another snapshot, ${reference.namespace}/${reference.name}`,
    };
  if (reference.uid === undefined || reference.uid === '') return { kind: 'bind-content', content };
  if (reference.uid !== metadata.uid)
    return { kind: 'fail', message: `VolumeSnapshotContent ${contentName} is bound to an older snapshot` };
  const told = statusFrom(content);
  return deepEqual(told, status) ? { kind: 'none' } : { kind: 'set-status', status: told };
}

/** The content goes first, and only when its policy says so. */
function leave(snapshot: VolumeSnapshot, content: VolumeSnapshotContent | undefined): SnapshotAction {
  const held = snapshot.metadata.finalizers?.some((name) => SNAPSHOT_FINALIZERS.includes(name)) === true;
  const mine = content?.spec.volumeSnapshotRef.uid === snapshot.metadata.uid ? content : undefined;
  if (mine === undefined || mine.spec.deletionPolicy === 'Retain')
    return held ? { kind: 'release' } : { kind: 'none' };
  if (mine.metadata.deletionTimestamp !== undefined) return { kind: 'none' };
  return { kind: 'delete-content', name: mine.metadata.name ?? '' };
}

function takeFrom(snapshot: VolumeSnapshot, view: SnapshotView): SnapshotAction {
  const { metadata, spec } = snapshot;
  const name = spec.source.persistentVolumeClaimName ?? '';
  const claim = view.claim(name);
  if (claim === undefined)
    return { kind: 'fail', message: `the claim ${metadata.namespace}/${name} does not exist` };
  const volume = view.volume(claim.spec.volumeName ?? '');
  if (claim.status?.phase !== 'Bound' || volume === undefined)
    return { kind: 'fail', message: `the claim ${metadata.namespace}/${name} is not bound yet` };
  const driver = volume.metadata.annotations?.[PROVISIONED_BY] ?? '';
  if (spec.volumeSnapshotClassName === undefined) {
    const byDefault = view.classes.find(
      (c) => c.driver === driver && c.metadata?.annotations?.[DEFAULT_CLASS] === 'true',
    );
    if (byDefault === undefined)
      return { kind: 'fail', message: `no default VolumeSnapshotClass for driver "${driver}" was found` };
    return { kind: 'set-class', className: byDefault.metadata?.name ?? '' };
  }
  const snapshotClass = view.classes.find((c) => c.metadata?.name === spec.volumeSnapshotClassName);
  if (snapshotClass === undefined)
    return { kind: 'fail', message: `VolumeSnapshotClass ${spec.volumeSnapshotClassName} does not exist` };
  if (snapshotClass.driver !== driver)
    return {
      kind: 'fail',
      message: `VolumeSnapshotClass ${spec.volumeSnapshotClassName} is of driver ${snapshotClass.driver}, the claim of ${driver || 'no driver'}`,
    };
  return { kind: 'create-content', content: newContent(snapshot, volume, snapshotClass) };
}

function newContent(
  { metadata }: VolumeSnapshot,
  volume: PersistentVolume,
  snapshotClass: VolumeSnapshotClass,
): VolumeSnapshotContent {
  const { namespace, name, uid = '', resourceVersion } = metadata;
  return {
    apiVersion: API,
    kind: 'VolumeSnapshotContent',
    metadata: { name: contentNameFor(uid), finalizers: [CONTENT_FINALIZER] },
    spec: {
      deletionPolicy: snapshotClass.deletionPolicy,
      driver: snapshotClass.driver,
      source: { volumeHandle: volume.metadata.name ?? '' },
      sourceVolumeMode: volume.spec.volumeMode ?? 'Filesystem',
      volumeSnapshotClassName: snapshotClass.metadata?.name,
      volumeSnapshotRef: { apiVersion: API, kind: 'VolumeSnapshot', namespace, name, uid, resourceVersion },
    },
  };
}

function statusFrom({ metadata, status }: VolumeSnapshotContent): NonNullable<VolumeSnapshot['status']> {
  return {
    boundVolumeSnapshotContentName: metadata.name ?? '',
    ...(status?.creationTime === undefined ? {} : { creationTime: rfc3339(status.creationTime / 1e6) }),
    readyToUse: status?.readyToUse ?? false,
    ...(status?.restoreSize === undefined
      ? {}
      : { restoreSize: Amount.ofBytes(status.restoreSize).toString() }),
    ...(status?.error === undefined ? {} : { error: status.error }),
  };
}

export type ContentAction =
  | { readonly kind: 'none' }
  /** Copy the volume. */
  | { readonly kind: 'take'; readonly volumeName: string }
  /** Somebody brings a snapshot that we have: check that it is there. */
  | { readonly kind: 'adopt'; readonly handle: string }
  | { readonly kind: 'remove'; readonly handle: string | undefined };

/** `snapshotGone`: the snapshot that the content belongs to is proven to be gone, or is being deleted. */
export function decideContent(content: VolumeSnapshotContent, snapshotGone: boolean): ContentAction {
  const { metadata, spec, status } = content;
  if (spec.driver !== LOCAL_PROVISIONER) return { kind: 'none' };
  if (metadata.deletionTimestamp !== undefined) {
    if (metadata.finalizers?.includes(CONTENT_FINALIZER) !== true || !snapshotGone) return { kind: 'none' };
    return { kind: 'remove', handle: spec.deletionPolicy === 'Delete' ? handleOf(content) : undefined };
  }
  if (status?.readyToUse === true || status?.error?.message?.startsWith(TOO_LONG) === true)
    return { kind: 'none' };
  if (spec.source.snapshotHandle !== undefined) return { kind: 'adopt', handle: spec.source.snapshotHandle };
  return { kind: 'take', volumeName: spec.source.volumeHandle ?? '' };
}

function handleOf({ spec, status }: VolumeSnapshotContent): string | undefined {
  return status?.snapshotHandle ?? spec.source.snapshotHandle;
}
