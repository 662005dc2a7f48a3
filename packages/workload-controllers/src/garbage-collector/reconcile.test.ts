import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@podvisor/api';
import { decideCollection, type OwnerState } from './reconcile.ts';

const reference = (uid: string, blockOwnerDeletion = false) => ({
  apiVersion: 'v1',
  kind: 'Owner',
  name: uid,
  uid,
  blockOwnerDeletion,
});
const owner = (uid: string, kind: OwnerState['kind']) => ({ reference: reference(uid), state: { kind } });
const object = (metadata: KubernetesObject['metadata'] = {}): KubernetesObject => ({
  metadata: { uid: 'me', ...metadata },
});
const dying = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const blocker = object({ uid: 'b', ownerReferences: [reference('me', true)] });
const loose = object({ uid: 'l', ownerReferences: [reference('me')] });

const cases: readonly [string, Parameters<typeof decideCollection>, string][] = [
  ['no owners', [object(), [], []], 'none'],
  ['its owner is there', [object(), [owner('a', 'present')], []], 'none'],
  ['its only owner is gone', [object(), [owner('a', 'absent')], []], 'delete Background'],
  ['one of two is gone', [object(), [owner('a', 'absent'), owner('b', 'present')], []], 'drop-owners a'],
  ['one is gone, one cannot be asked', [object(), [owner('a', 'absent'), owner('b', 'unknown')], []], 'none'],
  ['its owner waits for it', [object(), [owner('a', 'waiting')], []], 'delete Background'],
  [
    'its owner waits for it, and it has dependents',
    [object(), [owner('a', 'waiting')], [loose]],
    'delete Foreground',
  ],
  [
    'its owner waits, another stays',
    [object(), [owner('a', 'waiting'), owner('b', 'present')], []],
    'drop-owners a',
  ],
  [
    'its orphan finalizer is honoured',
    [object({ finalizers: ['orphan'] }), [owner('a', 'absent')], []],
    'delete Orphan',
  ],
  [
    'dying without our finalizers',
    [object({ ...dying, finalizers: ['other'] }), [owner('a', 'absent')], [blocker]],
    'none',
  ],
  [
    'foreground with a blocker',
    [object({ ...dying, finalizers: ['foregroundDeletion'] }), [], [blocker, loose]],
    'delete-dependents b',
  ],
  [
    'foreground with a blocker of another namespace, whoever put its UID there',
    [
      object({ ...dying, namespace: 'ns', finalizers: ['foregroundDeletion'] }),
      [],
      [object({ uid: 'b', namespace: 'other', ownerReferences: [reference('me', true)] })],
    ],
    'remove-finalizer foregroundDeletion',
  ],
  [
    'foreground of something without a namespace, with a blocker in one',
    [
      object({ ...dying, finalizers: ['foregroundDeletion'] }),
      [],
      [object({ uid: 'b', namespace: 'other', ownerReferences: [reference('me', true)] })],
    ],
    'delete-dependents b',
  ],
  [
    'foreground without a blocker',
    [object({ ...dying, finalizers: ['foregroundDeletion'] }), [], [loose]],
    'remove-finalizer foregroundDeletion',
  ],
  [
    'orphaning',
    [object({ ...dying, finalizers: ['orphan'] }), [], [blocker, loose]],
    'orphan-dependents b,l',
  ],
  ['orphaned', [object({ ...dying, finalizers: ['orphan'] }), [], []], 'remove-finalizer orphan'],
];

for (const [name, [self, owners, dependents], expected] of cases) {
  test(name, () => {
    const action = decideCollection(self, owners, dependents);
    const detail =
      action.kind === 'delete'
        ? action.policy
        : action.kind === 'drop-owners'
          ? action.uids.join()
          : action.kind === 'remove-finalizer'
            ? action.finalizer
            : 'dependents' in action
              ? action.dependents.map((dependent) => dependent.metadata?.uid).join()
              : '';
    assert.equal(`${action.kind} ${detail}`.trim(), expected);
  });
}
