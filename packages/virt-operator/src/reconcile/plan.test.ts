import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@podvisor/api';
import type { Manifest } from '../install/manifest.ts';
import { nameOf } from '../install/ownership.ts';
import { planObjects } from './plan.ts';

const component = (kind: string, name: string, version: string): Manifest => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'vms' },
  spec: { version },
});
const wantedAt = (version: string): Manifest[] => [
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'virt-api', namespace: 'vms' }, spec: { version } },
  component('Deployment', 'virt-api', version),
  component('Deployment', 'virt-controller', version),
  component('DaemonSet', 'virt-handler', version),
];
const running = {
  ...{ updatedReplicas: 1, availableReplicas: 1 },
  ...{ desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 },
};
const live = (objects: readonly Manifest[], status: object = running): Map<string, KubernetesObject> =>
  new Map(objects.map((object) => [nameOf(object), { ...object, status }]));
const planned = (
  wanted: readonly Manifest[],
  found: Map<string, KubernetesObject>,
  isUpdate = false,
): string => {
  const { apply, remove, waitsFor, created } = planObjects(wanted, found, isUpdate);
  return [
    `apply ${apply.map(nameOf).join(', ')}`,
    `remove ${remove.map(nameOf).join(', ')}`,
    `waits for ${waitsFor ?? ''}`,
    created ? 'created' : '',
  ]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('; ');
};
const [v1, v2] = [wantedAt('v1'), wantedAt('v2')];
const [service, api, controller] = v1;
const extra: Manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'old', namespace: 'vms' } };
const some = (...objects: (Manifest | undefined)[]): Manifest[] => objects.filter((o) => o !== undefined);

const cases: readonly [string, string, string][] = [
  [
    'nothing is there: what components rely on comes first',
    planned(v1, live([])),
    'apply Service vms/virt-api; remove; waits for virt-api',
  ],
  [
    'then virt-api',
    planned(v1, live(some(service))),
    'apply Deployment vms/virt-api; remove; waits for virt-api',
  ],
  [
    'virt-controller waits for it',
    planned(v1, live(some(service, api), {})),
    'apply; remove; waits for virt-api',
  ],
  [
    'virt-controller',
    planned(v1, live(some(service, api))),
    'apply Deployment vms/virt-controller; remove; waits for virt-controller',
  ],
  [
    'virt-handler last',
    planned(v1, live(some(service, api, controller))),
    'apply DaemonSet vms/virt-handler; remove; waits for virt-handler',
  ],
  [
    'virt-handler is waited for while no node may run it',
    planned(v1, live(v1, { ...running, desiredNumberScheduled: 0 })),
    'apply; remove; waits for virt-handler; created',
  ],
  ['all is well', planned(v1, live(v1)), 'apply; remove; waits for; created'],
  [
    'what is not wanted goes when all is well',
    planned(v1, live([...v1, extra])),
    'apply; remove ConfigMap vms/old; waits for; created',
  ],
  [
    'and not before',
    planned(v2, live([...v1, extra])),
    'apply Service vms/virt-api; remove; waits for virt-api; created',
  ],
  [
    'an update begins with virt-handler',
    planned(v2, live([...v1.slice(1), ...v2.slice(0, 1)]), true),
    'apply DaemonSet vms/virt-handler; remove; waits for virt-handler; created',
  ],
];
const hooksAt = (path: string): Manifest => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'virt-api-mutator' },
  webhooks: [{ name: 'vm', clientConfig: { service: { path } } }],
});

test('an update asks virt-api for what is new when it has rolled out, and is not over before', () => {
  const [before, after] = [
    [hooksAt('/v1'), ...v1],
    [hooksAt('/v2'), ...v2],
  ];
  assert.equal(
    planned(after, live([...before.slice(0, 1), ...v2.slice(0, 1), ...v1.slice(1)]), true),
    'apply DaemonSet vms/virt-handler; remove; waits for virt-handler; created',
  );
  assert.equal(
    planned(after, live([...before.slice(0, 1), ...v2, extra]), true),
    'apply MutatingWebhookConfiguration virt-api-mutator; remove; waits for; created',
  );
  assert.equal(planned(after, live(after), true), 'apply; remove; waits for; created');
});

for (const [name, found, expected] of cases) test(`plan: ${name}`, () => assert.equal(found, expected));
