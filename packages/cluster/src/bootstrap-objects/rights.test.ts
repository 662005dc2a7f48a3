/**
 * The components' rights against what they asked for in the whole-system tests. Made anew with
 * `PODVISOR_RECORD_RBAC=DIRECTORY ./podvisor test e2e; node scripts/rbac-recording.ts DIRECTORY`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMPONENT_RIGHTS, type PolicyRule } from '@podvisor/virt-operator';
import { NODE_NETWORK_RULES } from './node-network.ts';
import { UNRECORDED_RIGHTS } from './unrecorded-rights.ts';

/** `user verb group/resource[/subresource] scope`; the scope is `cluster`, `tenant` or a namespace of ours. */
const recording = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing/rbac-recording.json'), 'utf8'),
) as readonly string[];

interface Right {
  readonly user: string;
  readonly verb: string;
  readonly what: string;
  /** `cluster`: everywhere. */
  readonly scope: string;
}

const USERS = [...Object.keys(COMPONENT_RIGHTS), 'system:kube-proxy'];
const textOf = ({ user, verb, what, scope }: Right): string => `${user} ${verb} ${what} ${scope}`;
const used = recording
  .map((line): Right => {
    const [user = '', verb = '', what = '', scope = ''] = line.split(' ');
    return { user, verb, what, scope };
  })
  .filter(({ user }) => USERS.includes(user));
const granted = [
  ...Object.entries(COMPONENT_RIGHTS).flatMap(([user, { cluster, namespaces = {} }]) => [
    ...rightsOf(user, cluster, 'cluster'),
    ...Object.entries(namespaces).flatMap(([scope, rules]) => rightsOf(user, rules, scope)),
  ]),
  ...rightsOf('system:kube-proxy', NODE_NETWORK_RULES, 'cluster'),
];

function rightsOf(user: string, rules: readonly PolicyRule[], scope: string): Right[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ user, verb, what: `${group}/${resource}`, scope })),
      ),
    ),
  );
}

function covers(right: Right, use: Right): boolean {
  const same = right.user === use.user && right.verb === use.verb && right.what === use.what;
  return same && (right.scope === 'cluster' || right.scope === use.scope);
}

test('no right is a wildcard, and none is granted twice', () => {
  for (const right of granted) assert.ok(!textOf(right).includes('*'), textOf(right));
  assert.equal(new Set(granted.map(textOf)).size, granted.length);
});

test('nothing that was used is missing', () => {
  const missing = used.filter((use) => !granted.some((right) => covers(right, use)));
  assert.deepEqual(missing.map(textOf), []);
});

test('every right was used, or it is said when it is', () => {
  const unused = granted.filter((right) => !used.some((use) => covers(right, use))).map(textOf);
  assert.deepEqual(
    unused.filter((right) => UNRECORDED_RIGHTS[right] === undefined),
    [],
    'granted and never used',
  );
  assert.deepEqual(
    Object.keys(UNRECORDED_RIGHTS).filter((right) => !unused.includes(right)),
    [],
    'named as unrecorded, and recorded or not granted',
  );
});

test('virt-controller opens no console and reads no Secret', () => {
  const ofController = granted.filter(({ user }) => user === 'kubevirt-controller');
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
