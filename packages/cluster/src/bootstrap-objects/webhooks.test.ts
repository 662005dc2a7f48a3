import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate } from '@marcbachmann/cel-js';
import { webhookMatchConditions, webhooks } from '@podvisor/api';
import { bootstrapObjects } from './bootstrap-objects.ts';

const USER = 'alice';
const HANDLER = 'system:serviceaccount:kubevirt:kubevirt-handler';
const alive = { metadata: {}, spec: { a: 1 } };
const dying = {
  metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
  spec: { a: 1 },
  status: { phase: 'Running' },
};

const cases: readonly [string, string, object, object | null, boolean][] = [
  ['create', USER, alive, null, true],
  ['update', USER, { ...alive, spec: { a: 2 } }, alive, true],
  ['a component updates a living object', HANDLER, { ...alive, spec: { a: 2 } }, alive, true],
  [
    'a user takes a finalizer away',
    USER,
    dying,
    { ...dying, metadata: { ...dying.metadata, finalizers: ['x'] } },
    false,
  ],
  ['a user changes the spec of a dying object', USER, { ...dying, spec: { a: 2 } }, dying, true],
  [
    'a user changes the status of a dying object',
    USER,
    { ...dying, status: { phase: 'Failed' } },
    dying,
    true,
  ],
  ['a user adds a status to a dying object', USER, dying, { ...dying, status: undefined }, true],
  [
    'a component reports on a dying object',
    HANDLER,
    { ...dying, status: { phase: 'Succeeded' } },
    dying,
    false,
  ],
  [
    'somebody with a similar name',
    'system:serviceaccount:other:kubevirt-handler',
    { ...dying, spec: { a: 2 } },
    dying,
    true,
  ],
];

for (const [name, username, object, oldObject, asked] of cases) {
  test(`webhooks are ${asked ? 'asked' : 'not needed'}: ${name}`, () => {
    const plain = JSON.parse(JSON.stringify({ object, oldObject, request: { userInfo: { username } } }));
    const entry = webhooks.find((webhook) =>
      webhook.name.startsWith('virtualmachineinstances-update-validator'),
    );
    assert.ok(entry);
    const conditions = webhookMatchConditions(entry, 'kubevirt');
    assert.equal(
      conditions.every(({ expression }) => evaluate(expression, plain) === true),
      asked,
    );
  });
}

const UID = '6b1f0b0e-1111-4222-8333-444455556666';
const CONTROLLER = 'system:serviceaccount:kubevirt:kubevirt-controller';
const MANAGER = 'system:kube-controller-manager';
const COLLECTOR = 'system:serviceaccount:kube-system:generic-garbage-collector';
const owners = [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid: UID }];
const plainPod = { metadata: { labels: { app: 'web' } }, spec: {} };
const launcher = {
  metadata: {
    labels: { 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': UID },
    ownerReferences: owners,
  },
  spec: {},
};
const dyingLauncher = {
  ...launcher,
  metadata: { ...launcher.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x/y'] },
};
const podCases: readonly [string, string, object, object | null, boolean][] = [
  ['a tenant makes a Pod', USER, plainPod, null, false],
  ['a tenant makes a Pod without labels', USER, { metadata: {}, spec: {} }, null, false],
  ['a tenant makes a launcher', USER, launcher, null, true],
  ['a tenant makes a Pod that a VMI owns', USER, { metadata: { ownerReferences: owners } }, null, true],
  [
    'a tenant makes an exporter',
    USER,
    { metadata: { labels: { 'kubevirt.io': 'virt-export' } } },
    null,
    true,
  ],
  [
    'a tenant makes a Pod that an export owns',
    USER,
    { metadata: { ownerReferences: [{ kind: 'VirtualMachineExport' }] } },
    null,
    true,
  ],
  ['a tenant has a launcher made from a template', MANAGER, launcher, null, true],
  ['virt-controller makes a launcher', CONTROLLER, launcher, null, false],
  [
    'another virt-controller makes one',
    'system:serviceaccount:evil:kubevirt-controller',
    launcher,
    null,
    true,
  ],
  ['virt-handler makes one', HANDLER, launcher, null, true],
  ['a tenant turns his Pod into one', USER, launcher, plainPod, true],
  ['a tenant takes the labels away', USER, plainPod, launcher, true],
  [
    'a tenant annotates a launcher',
    USER,
    { ...launcher, metadata: { ...launcher.metadata, annotations: { a: 'b' } } },
    launcher,
    false,
  ],
  [
    'a tenant takes a finalizer from a dying launcher',
    USER,
    { ...dyingLauncher, metadata: { ...dyingLauncher.metadata, finalizers: [] } },
    dyingLauncher,
    false,
  ],
  [
    'a tenant turns a dying Pod into a launcher',
    USER,
    dyingLauncher,
    { ...plainPod, metadata: { ...plainPod.metadata, deletionTimestamp: 'x' } },
    true,
  ],
  [
    'the garbage collector lets a launcher go',
    COLLECTOR,
    { ...launcher, metadata: { labels: launcher.metadata.labels } },
    launcher,
    false,
  ],
];
for (const [name, username, object, oldObject, asked] of podCases) {
  test(`the webhook of Pods is ${asked ? 'asked' : 'not needed'}: ${name}`, () => {
    const operation = oldObject === null ? 'CREATE' : 'UPDATE';
    const request = { operation, userInfo: { username } };
    const entry = webhooks.find(({ asks }) => asks === 'podIdentity');
    assert.ok(entry);
    const conditions = webhookMatchConditions(entry, 'kubevirt');
    const variables = JSON.parse(JSON.stringify({ object, oldObject, request }));
    assert.equal(
      conditions.every(({ expression }) => evaluate(expression, variables) === true),
      asked,
    );
  });
}

test('no webhook can hold up a deletion', () => {
  const config = { name: 't', apiPort: 1, virtApiPort: 2, podCidr: '10.0.0.0/16', bridge: 'b', nodes: [] };
  const facts = { kubevirtCa: 'b', kvmUsable: false };
  const objects = bootstrapObjects(config, facts).filter(
    (object) => object.kind?.endsWith('WebhookConfiguration') === true,
  );
  assert.equal(objects.length, 2);
  for (const object of objects) {
    const { webhooks: hooks } = JSON.parse(JSON.stringify(object)) as {
      webhooks: {
        name: string;
        failurePolicy: string;
        rules: { operations: string[] }[];
        matchConditions?: { name: string }[];
      }[];
    };
    for (const hook of hooks) {
      const operations = hook.rules.flatMap((rule) => rule.operations);
      const guarded = hook.matchConditions?.some(({ name }) => name === 'not-needed-for-deletion') ?? false;
      assert.ok(hook.failurePolicy === 'Ignore' || !operations.includes('DELETE'), hook.name);
      // That of Pods is asked only about what a deletion never needs.
      const asksIdentity = hook.matchConditions?.some(({ name }) => name === 'identity-of-a-virtual-machine');
      assert.equal(guarded || asksIdentity === true, operations.includes('UPDATE'), hook.name);
    }
  }
});

test('software emulation is allowed exactly where KVM is not usable', () => {
  const config = { name: 't', apiPort: 1, virtApiPort: 2, podCidr: '10.0.0.0/16', bridge: 'b', nodes: [] };
  for (const kvmUsable of [true, false]) {
    const facts = { kubevirtCa: 'b', kvmUsable };
    const kubevirt = bootstrapObjects(config, facts).find((object) => object.kind === 'KubeVirt');
    assert.deepEqual(kubevirt?.['spec'], {
      configuration: {
        ...(kvmUsable ? {} : { developerConfiguration: { useEmulation: true } }),
        virtualMachineOptions: { disableSerialConsoleLog: {} },
      },
      workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] },
    });
  }
});

test('what a node waits for is installed before all that takes long', () => {
  const config = { name: 't', apiPort: 1, virtApiPort: 2, podCidr: '10.0.0.0/16', bridge: 'b', nodes: [] };
  for (const bare of [true, false]) {
    const objects = bootstrapObjects({ ...config, bare }, { kubevirtCa: 'b', kvmUsable: true });
    const binding = objects.findIndex(({ metadata }) => metadata?.name === 'podvisor:node-network');
    const definition = objects.findIndex(({ kind }) => kind === 'CustomResourceDefinition');
    assert.ok(binding >= 0 && binding < definition, `${binding} before ${definition}`);
  }
});
