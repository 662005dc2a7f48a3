/**
 * The rights of components and controllers against what they asked for in the whole-system tests. Made anew with
 * `PODVISOR_RECORD_RBAC=DIRECTORY ./podvisor test e2e; node scripts/rbac-recording.ts DIRECTORY`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMPONENT_RIGHTS, type PolicyRule } from '@podvisor/virt-operator';
import { CONTROLLER_ACCOUNTS, CONTROLLER_RIGHTS } from '@podvisor/workload-controllers';
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

const USERS = [...Object.keys(COMPONENT_RIGHTS), ...CONTROLLER_ACCOUNTS, 'system:kube-proxy'];
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
  ...CONTROLLER_ACCOUNTS.flatMap((account) => rightsOf(account, CONTROLLER_RIGHTS[account], 'cluster')),
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
  const same = right.user === use.user && right.verb === use.verb && includes(right.what, use.what);
  return same && (right.scope === 'cluster' || right.scope === use.scope);
}

/** `*` stands for any, and a resource for itself without its subresources. */
function includes(right: string, use: string): boolean {
  const [group, ...resource] = right.split('/');
  const [usedGroup, ...used] = use.split('/');
  if (group !== '*' && group !== usedGroup) return false;
  const [kind, subresource] = resource;
  return (kind === '*' || kind === used[0]) && (right === '*/*' || subresource === used[1]);
}

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
  const wild = granted.filter((right) => textOf(right).includes('*'));
  assert.deepEqual(
    wild.map(({ user, verb, what }) => `${user} ${verb} ${what}`),
    ANY_KIND,
  );
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
