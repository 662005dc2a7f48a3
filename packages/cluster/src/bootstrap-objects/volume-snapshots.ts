/** snapshot.storage.k8s.io/v1: the kinds, and the class of local snapshots. Pure. */
import type { Manifest } from '@podvisor/virt-operator';
import { type Definition, definitionOf, object, quantity, text, texts, time } from '@podvisor/virt-operator';

const GROUP = { group: 'snapshot.storage.k8s.io', version: 'v1' };
/** Groups of Kubernetes itself must name who approved them. */
const APPROVED = {
  'api-approved.kubernetes.io': 'https://github.com/kubernetes-csi/external-snapshotter/pull/814',
};
const error = object({ message: text(), time });
const policy = { type: 'string', enum: ['Delete', 'Retain'] };
const immutable = (what: string): object => ({ rule: 'self == oldSelf', message: `${what} is immutable` });

const snapshots: Definition = {
  ...GROUP,
  kind: 'VolumeSnapshot',
  plural: 'volumesnapshots',
  shortNames: ['vs'],
  scope: 'Namespaced',
  annotations: APPROVED,
  hasStatus: true,
  required: ['spec'],
  columns: [
    ['ReadyToUse', 'boolean', '.status.readyToUse'],
    ['SourcePVC', 'string', '.spec.source.persistentVolumeClaimName'],
    ['SourceSnapshotContent', 'string', '.spec.source.volumeSnapshotContentName'],
    ['RestoreSize', 'string', '.status.restoreSize'],
    ['SnapshotClass', 'string', '.spec.volumeSnapshotClassName'],
    ['SnapshotContent', 'string', '.status.boundVolumeSnapshotContentName'],
    ['CreationTime', 'date', '.status.creationTime'],
    ['Age', 'date', '.metadata.creationTimestamp'],
  ],
  properties: {
    spec: object(
      {
        source: {
          ...object({
            persistentVolumeClaimName: text('Claim to take a snapshot of.'),
            volumeSnapshotContentName: text('Snapshot that the storage has already.'),
          }),
          oneOf: [{ required: ['persistentVolumeClaimName'] }, { required: ['volumeSnapshotContentName'] }],
          'x-kubernetes-validations': [immutable('source')],
        },
        volumeSnapshotClassName: text('Class of the snapshot; the default class when unset.'),
      },
      ['source'],
    ),
    status: object({
      boundVolumeSnapshotContentName: text(),
      creationTime: time,
      readyToUse: { type: 'boolean' },
      restoreSize: quantity,
      error,
      volumeGroupSnapshotName: text(),
    }),
  },
};

const contents: Definition = {
  ...GROUP,
  kind: 'VolumeSnapshotContent',
  plural: 'volumesnapshotcontents',
  shortNames: ['vsc', 'vscs'],
  scope: 'Cluster',
  annotations: APPROVED,
  hasStatus: true,
  required: ['spec'],
  columns: [
    ['ReadyToUse', 'boolean', '.status.readyToUse'],
    ['RestoreSize', 'integer', '.status.restoreSize'],
    ['DeletionPolicy', 'string', '.spec.deletionPolicy'],
    ['Driver', 'string', '.spec.driver'],
    ['VolumeSnapshotClass', 'string', '.spec.volumeSnapshotClassName'],
    ['VolumeSnapshot', 'string', '.spec.volumeSnapshotRef.name'],
    ['VolumeSnapshotNamespace', 'string', '.spec.volumeSnapshotRef.namespace'],
    ['Age', 'date', '.metadata.creationTimestamp'],
  ],
  properties: {
    spec: object(
      {
        deletionPolicy: policy,
        driver: text('Driver that took the snapshot.'),
        source: {
          ...object({ volumeHandle: text(), snapshotHandle: text() }),
          oneOf: [{ required: ['volumeHandle'] }, { required: ['snapshotHandle'] }],
          'x-kubernetes-validations': [immutable('source')],
        },
        sourceVolumeMode: text(),
        volumeSnapshotClassName: text(),
        volumeSnapshotRef: object({
          apiVersion: text(),
          fieldPath: text(),
          kind: text(),
          name: text(),
          namespace: text(),
          resourceVersion: text(),
          uid: text(),
        }),
      },
      ['deletionPolicy', 'driver', 'source', 'volumeSnapshotRef'],
    ),
    status: object({
      snapshotHandle: text(),
      creationTime: { type: 'integer', format: 'int64' },
      restoreSize: { type: 'integer', format: 'int64', minimum: 0 },
      readyToUse: { type: 'boolean' },
      error,
      volumeGroupSnapshotHandle: text(),
    }),
  },
};

const classes: Definition = {
  ...GROUP,
  kind: 'VolumeSnapshotClass',
  plural: 'volumesnapshotclasses',
  shortNames: ['vsclass', 'vsclasses'],
  scope: 'Cluster',
  annotations: APPROVED,
  required: ['deletionPolicy', 'driver'],
  columns: [
    ['Driver', 'string', '.driver'],
    ['DeletionPolicy', 'string', '.deletionPolicy'],
    ['Age', 'date', '.metadata.creationTimestamp'],
  ],
  properties: { driver: text('Driver that takes the snapshots.'), deletionPolicy: policy, parameters: texts },
};

export function snapshotDefinitions(): Manifest[] {
  return [snapshots, contents, classes].map(definitionOf);
}

/** Snapshots of class `local` volumes. */
export function snapshotClass(): Manifest {
  return {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    metadata: { name: 'local', annotations: { 'snapshot.storage.kubernetes.io/is-default-class': 'true' } },
    driver: 'podvisor.io/local',
    deletionPolicy: 'Delete',
  };
}
