import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOCAL_PROVISIONER, type VolumeSnapshot, type VolumeSnapshotContent } from '@podvisor/api';
import {
  CONTENT_FINALIZER,
  contentNameFor,
  decideContent,
  decideSnapshot,
  SNAPSHOT_FINALIZERS,
  type SnapshotView,
} from './reconcile.ts';

type Metadata = VolumeSnapshot['metadata'];
const snapshot = (
  spec: Partial<VolumeSnapshot['spec']> = {},
  metadata: Partial<Metadata> = {},
): VolumeSnapshot => ({
  metadata: { namespace: 'ns', name: 's', uid: 'u', finalizers: [...SNAPSHOT_FINALIZERS], ...metadata },
  spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'local', ...spec },
});
const view: SnapshotView = {
  claim: (name) =>
    name === 'data'
      ? { metadata: { namespace: 'ns', name }, spec: { volumeName: 'v' }, status: { phase: 'Bound' } }
      : undefined,
  volume: (name) => ({
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': LOCAL_PROVISIONER } },
    spec: {},
  }),
  content: () => undefined,
  classes: [
    {
      metadata: {
        name: 'local',
        annotations: { 'snapshot.storage.kubernetes.io/is-default-class': 'true' },
      },
      driver: LOCAL_PROVISIONER,
      deletionPolicy: 'Delete',
    },
    { metadata: { name: 'foreign' }, driver: 'ceph.example', deletionPolicy: 'Delete' },
  ],
};
const made = decideSnapshot(snapshot(), view);
assert.ok(made.kind === 'create-content');
const content = (part: Partial<VolumeSnapshotContent> = {}): VolumeSnapshotContent => ({
  ...made.content,
  ...part,
});
const having = (one: VolumeSnapshotContent): SnapshotView => ({ ...view, content: () => one });
const going = { deletionTimestamp: 'now' };

const SNAPSHOTS: readonly [string, VolumeSnapshot, SnapshotView, string][] = [
  ['is protected first', snapshot({}, { finalizers: [] }), view, 'protect'],
  ['gets the default class', snapshot({ volumeSnapshotClassName: undefined }), view, 'set-class'],
  ['gets a content', snapshot(), view, 'create-content'],
  [
    'of a claim that is missing fails',
    snapshot({ source: { persistentVolumeClaimName: 'x' } }),
    view,
    'fail',
  ],
  ['of another driver fails', snapshot({ volumeSnapshotClassName: 'foreign' }), view, 'fail'],
  ['tells what its content says', snapshot(), having(content()), 'set-status'],
  [
    'of a content that is not there fails',
    snapshot({ source: { volumeSnapshotContentName: 'c' } }),
    view,
    'fail',
  ],
  [
    'is bound to a content that was made for it by name',
    snapshot({ source: { volumeSnapshotContentName: 'c' } }),
    having(content({ spec: { ...made.content.spec, volumeSnapshotRef: { namespace: 'ns', name: 's' } } })),
    'bind-content',
  ],
  ['takes its content along', snapshot({}, going), having(content()), 'delete-content'],
  [
    'leaves a content that is to be kept',
    snapshot({}, going),
    having(content({ spec: { ...made.content.spec, deletionPolicy: 'Retain' } })),
    'release',
  ],
  ['is let go when nothing is left', snapshot({}, going), view, 'release'],
];

for (const [name, subject, seen, expected] of SNAPSHOTS)
  test(`a snapshot ${name}`, () => assert.equal(decideSnapshot(subject, seen).kind, expected));

test('a content belongs to its snapshot and to its volume', () => {
  assert.equal(made.content.metadata.name, contentNameFor('u'));
  assert.deepEqual(decideContent(content(), false), { kind: 'take', volumeName: 'v' });
});

test('data of a content goes only when its snapshot is proven gone', () => {
  const metadata = { name: 'c', finalizers: [CONTENT_FINALIZER], ...going };
  const status = { snapshotHandle: 'h', readyToUse: true };
  assert.deepEqual(decideContent(content({ metadata, status }), false), { kind: 'none' });
  assert.deepEqual(decideContent(content({ metadata, status }), true), { kind: 'remove', handle: 'h' });
  const kept = content({ metadata, status, spec: { ...made.content.spec, deletionPolicy: 'Retain' } });
  assert.deepEqual(decideContent(kept, true), { kind: 'remove', handle: undefined });
});

test('a content of another driver is not ours', () => {
  const foreign = content({ spec: { ...made.content.spec, driver: 'ceph.example' } });
  assert.deepEqual(decideContent(foreign, true), { kind: 'none' });
});
