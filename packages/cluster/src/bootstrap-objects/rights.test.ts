/**
 * The rights of components and controllers against what they asked for in the whole-system tests. Made anew with
 * `node scripts/rbac-recording.ts` after a whole run.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareRights, GRANTED, textOf } from './testing/compare-rights.ts';
import { OCCASIONAL_RIGHTS, UNRECORDED_RIGHTS } from './unrecorded-rights.ts';

const recording = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing/rbac-recording.json'), 'utf8'),
) as readonly string[];
const { missing, unexplained, outdated } = compareRights(recording);

/** Who may touch kinds that come later, and what of them. */
const ANY_KIND = [
  'generic-garbage-collector get */*',
  'generic-garbage-collector delete */*',
  'generic-garbage-collector patch */*',
  'namespace-controller list */*',
  'namespace-controller delete */*',
  'horizontal-pod-autoscaler get */*/scale',
  'horizontal-pod-autoscaler patch */*/scale',
  'disruption-controller get */*/scale',
];

test('no right is a wildcard but those of the collectors, and none is granted twice', () => {
  const wild = GRANTED.filter((right) => textOf(right).includes('*'));
  assert.deepEqual(
    wild.map(({ user, verb, what }) => `${user} ${verb} ${what}`),
    ANY_KIND,
  );
  assert.equal(new Set(GRANTED.map(textOf)).size, GRANTED.length);
});

test('nothing that was used is missing', () => {
  assert.deepEqual(missing, []);
});

test('every right was used, or it is said when it is', () => {
  assert.deepEqual(unexplained, [], 'granted and never used');
  assert.deepEqual(outdated, [], 'named as unrecorded, and recorded or not granted');
});

test('what is said of rights is said of rights that are granted, once', () => {
  const granted = new Set(GRANTED.map(textOf));
  const named = [...Object.keys(UNRECORDED_RIGHTS), ...Object.keys(OCCASIONAL_RIGHTS)];
  assert.deepEqual(
    named.filter((right) => !granted.has(right)),
    [],
  );
  assert.equal(new Set(named).size, named.length);
});

test('virt-controller opens no console and reads no Secret', () => {
  const ofController = GRANTED.filter(({ user }) => user === 'kubevirt-controller');
  const guests = ofController.filter(({ what }) => what.startsWith('subresources.kubevirt.io/'));
  assert.deepEqual(guests.map(({ what }) => what.split('/').at(-1)).toSorted(), [
    'backup',
    'backupprogress',
    'freeze',
    'redefine-checkpoint',
    'unfreeze',
  ]);
  assert.deepEqual(
    ofController.filter(({ what }) => what === '/secrets').map(({ verb }) => verb),
    ['create'],
  );
});

test('a right that is used and not granted is missing; one that is not used any more has no explanation', () => {
  const first = recording.find((line) => line.startsWith('kubevirt-controller create /pods '));
  assert.ok(first);
  const less = compareRights(recording.filter((line) => line !== first));
  assert.deepEqual(less.unexplained, ['kubevirt-controller create /pods cluster']);
  const more = compareRights([
    ...recording,
    'kubevirt-controller escalate rbac.authorization.k8s.io/roles tenant',
  ]);
  assert.equal(more.missing.length, 1);
});
