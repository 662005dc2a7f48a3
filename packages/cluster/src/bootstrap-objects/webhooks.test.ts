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
      assert.equal(guarded, operations.includes('UPDATE'), hook.name);
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
