import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
  usersOf,
} from '@podvisor/api';
import { claimIndexes, podClaimIndexes, volumeIndexes } from './indexes.ts';
import type { OriginView } from './origin.ts';
import { decideClaim, planClaim, planVolume } from './reconcile.ts';

const local: StorageClass = {
  metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'podvisor.io/local',
  allowVolumeExpansion: true,
};
const lazy: StorageClass = {
  metadata: { name: 'lazy' },
  provisioner: 'podvisor.io/local',
  volumeBindingMode: 'WaitForFirstConsumer',
};
const foreign: StorageClass = { metadata: { name: 'ceph' }, provisioner: 'ceph.example' };
const classes = [foreign, lazy, local];

type ClaimOptions = {
  spec?: Partial<PersistentVolumeClaim['spec']>;
  phase?: 'Pending' | 'Bound';
  metadata?: PersistentVolumeClaim['metadata'];
};
const claim = ({ spec, phase, metadata }: ClaimOptions = {}): PersistentVolumeClaim => ({
  metadata: { namespace: 'ns', name: 'data', uid: 'u1', ...metadata },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'local',
    ...spec,
  },
  status: { phase: phase ?? 'Pending' },
});
const volume = (
  name: string,
  spec: Partial<PersistentVolume['spec']> = {},
  phase = 'Available',
): PersistentVolume => ({
  metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': 'podvisor.io/local' } },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '2Gi' },
    storageClassName: 'local',
    persistentVolumeReclaimPolicy: 'Delete',
    ...spec,
  },
  status: { phase },
});
const user: Pod = {
  metadata: { namespace: 'ns', name: 'p' },
  spec: { containers: [], volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] },
};
const bound = { spec: { volumeName: 'v' }, phase: 'Bound' } as const;
const reference = { namespace: 'ns', name: 'data', uid: 'u1' };
const dying = {
  namespace: 'ns',
  name: 'data',
  uid: 'u1',
  deletionTimestamp: 'now',
  finalizers: ['kubernetes.io/pvc-protection'],
};

const claims: readonly (readonly [
  string,
  PersistentVolumeClaim,
  readonly PersistentVolume[],
  readonly Pod[],
  string,
])[] = [
  ['is provided', claim(), [], [], 'provision'],
  ['names a free volume', claim({ spec: { volumeName: 'v' } }), [volume('v')], [], 'bind v'],
  ...(
    [
      ['class', { storageClassName: 'ceph' }],
      ['mode', { volumeMode: 'Block' }],
      ['size', { capacity: { storage: '1Mi' } }],
      ['access', { accessModes: ['ReadOnlyMany'] }],
    ] as const
  ).map(
    ([what, spec]) =>
      [
        `names a free volume of another ${what}`,
        claim({ spec: { volumeName: 'v' } }),
        [volume('v', spec)],
        [],
        'wait VolumeMismatch',
      ] as const,
  ),
  ['gets the default class', claim({ spec: { storageClassName: undefined } }), [], [], 'set-class'],
  ['asks for no class', claim({ spec: { storageClassName: '' } }), [], [], 'wait FailedBinding'],
  [
    'asks for a class that does not exist',
    claim({ spec: { storageClassName: 'x' } }),
    [],
    [],
    'wait ProvisioningFailed',
  ],
  [
    'waits for somebody else',
    claim({ spec: { storageClassName: 'ceph' } }),
    [],
    [],
    'wait ExternalProvisioning',
  ],
  [
    'waits for its first Pod',
    claim({ spec: { storageClassName: 'lazy' } }),
    [],
    [],
    'wait WaitForFirstConsumer',
  ],
  ['has its first Pod', claim({ spec: { storageClassName: 'lazy' } }), [], [user], 'provision'],
  [
    'takes the smallest free volume',
    claim(),
    [
      volume('big', { capacity: { storage: '9Gi' } }),
      volume('small'),
      volume('tiny', { capacity: { storage: '1Mi' } }),
    ],
    [],
    'bind small',
  ],
  ['takes none of another mode', claim({ spec: { volumeMode: 'Block' } }), [volume('v')], [], 'provision'],
  [
    'takes none that is taken',
    claim(),
    [volume('v', { claimRef: { namespace: 'ns', name: 'other', uid: 'x' } })],
    [],
    'provision',
  ],
  [
    'takes the one made for it',
    claim(),
    [volume('small'), volume('mine', { claimRef: reference })],
    [],
    'bind mine',
  ],
  ['names its volume', claim({ spec: { volumeName: 'v' } }), [volume('v')], [], 'bind v'],
  [
    'names a volume of another',
    claim({ spec: { volumeName: 'v' } }),
    [volume('v', { claimRef: { ...reference, uid: 'x' } })],
    [],
    'wait FailedBinding',
  ],
  [
    'is bound',
    { ...claim(bound), status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
    [volume('v', { claimRef: reference }, 'Bound')],
    [],
    'none',
  ],
  [
    'is bound on one side only',
    claim(bound),
    [volume('v', { claimRef: reference }, 'Available')],
    [],
    'bind v',
  ],
  [
    'asks for more',
    { ...claim(bound), status: { phase: 'Bound', capacity: { storage: '512Mi' } } },
    [volume('v', { claimRef: reference }, 'Bound')],
    [],
    'expand',
  ],
  ['lost its volume', claim(bound), [], [], 'lost'],
  ['is deleted while in use', claim({ ...bound, metadata: dying }), [], [user], 'none'],
  ['is deleted and free', claim({ ...bound, metadata: dying }), [], [], 'release-protection'],
];

for (const [name, subject, volumes, users, expected] of claims) {
  test(`a claim ${name}`, () => {
    const action = decideClaim(subject, { volumes, classes, users });
    const detail =
      action.kind === 'bind' ? action.volume.metadata.name : action.kind === 'wait' ? action.reason : '';
    assert.equal(`${action.kind} ${detail}`.trim(), expected);
  });
}

test('a claim that is filled from another waits for it, and then names what it is filled with', () => {
  const nothing: OriginView = {
    claim: () => undefined,
    volume: () => undefined,
    snapshot: () => undefined,
    snapshotContent: () => undefined,
    dataVolume: () => undefined,
    dataSource: () => undefined,
    inUse: () => false,
  };
  const subject = claim({
    spec: {
      dataSource: { kind: 'PersistentVolumeClaim', name: 'first' },
      resources: { requests: { storage: '2Gi' } },
    },
  });
  const observed = { claim: subject, volumes: [], classes, users: [], view: nothing };
  assert.equal(planClaim(observed).kind, 'wait');
  const view: OriginView = {
    ...nothing,
    claim: () => claim({ ...bound, metadata: { namespace: 'ns', name: 'first', uid: 'u2' } }),
    volume: (name) => volume(name, { claimRef: { namespace: 'ns', name: 'first', uid: 'u2' } }, 'Bound'),
  };
  const plan = planClaim({ ...observed, view });
  assert.deepEqual(plan, {
    kind: 'provision',
    storageClass: local,
    filling: { kind: 'claim', volumeName: 'v' },
  });
  assert.equal(planClaim({ ...observed, view: { ...view, inUse: () => true } }).kind, 'wait');
});

test('claims, volumes and Pods are found by what they wait for', () => {
  assert.deepEqual(claimIndexes['waiting']?.(claim()), ['unbound']);
  assert.deepEqual(claimIndexes['waiting']?.(claim(bound)), []);
  const fed = claim({ spec: { dataSource: { kind: 'PersistentVolumeClaim', name: 'first' } } });
  assert.deepEqual(claimIndexes['waiting']?.(fed), ['unbound', 'fed']);
  assert.deepEqual(volumeIndexes['free']?.(volume('v')), ['local']);
  assert.deepEqual(volumeIndexes['free']?.(volume('v', { claimRef: reference })), []);
  assert.deepEqual(volumeIndexes['claim']?.(volume('v', { claimRef: reference })), ['ns/data']);
  assert.deepEqual(podClaimIndexes['claim']?.(user), ['ns/data']);
});

test('a finished Pod uses nothing', () => {
  assert.equal(usersOf(claim(), [user]).length, 1);
  assert.equal(usersOf(claim(), [{ ...user, status: { phase: 'Succeeded' } }]).length, 0);
});

test('data goes only when its claim is proven gone, and after that was written down', () => {
  const mine = volume('v', { claimRef: reference }, 'Bound');
  assert.equal(planVolume({ volume: mine, claim: 'present' }).kind, 'none');
  assert.equal(planVolume({ volume: mine, claim: 'unknown' }).kind, 'check-claim');
  assert.deepEqual(planVolume({ volume: mine, claim: 'absent' }), { kind: 'set-phase', phase: 'Released' });
  const released = volume('v', { claimRef: reference }, 'Released');
  assert.equal(planVolume({ volume: released, claim: 'absent' }).kind, 'delete-data');
  const kept = volume('v', { claimRef: reference, persistentVolumeReclaimPolicy: 'Retain' }, 'Released');
  assert.equal(planVolume({ volume: kept, claim: 'absent' }).kind, 'none');
  const notOurs = { ...released, metadata: { name: 'v' } };
  assert.equal(planVolume({ volume: notOurs, claim: 'absent' }).kind, 'none');
});
