/** The code and the words of refusals that clients look for, as the API server gets them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '@podvisor/api';
import { asking } from '../testing/ask-webhook.ts';
import { webhookContextForTests } from '../testing/webhook-context.ts';
import { Webhooks } from './serve.ts';
import { webhookTable } from './table.ts';

const developerConfiguration = { disabledFeatureGates: ['Snapshot', 'VMExport'] };
const config = clusterConfig({ spec: { configuration: { developerConfiguration } } });
const ask = asking(new Webhooks(webhookTable, () => ({ ...webhookContextForTests, config })));

const vm = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm' };
const metadata = { name: 'x', namespace: 'default' };
const kinds = [
  {
    path: '/virtualmachinesnapshots-validate',
    object: {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineSnapshot',
      spec: { source: vm },
    },
    words: 'snapshot feature gate not enabled',
  },
  {
    path: '/virtualmachinerestores-validate',
    object: {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineRestore',
      spec: { target: vm, virtualMachineSnapshotName: 's' },
    },
    words: 'Snapshot/Restore feature gate not enabled',
  },
  {
    path: '/vm-clone-validate-create',
    object: {
      apiVersion: 'clone.kubevirt.io/v1beta1',
      kind: 'VirtualMachineClone',
      spec: { source: vm, target: { ...vm, name: 'other' } },
    },
    words: 'snapshot feature gate is not enabled',
  },
] as const;

for (const { object, path, words } of kinds) {
  test(`${object.kind} is not made while its gate is off; what is there is changed as before`, async () => {
    const made = { ...object, metadata };
    const refused = await ask(path, { object: made });
    assert.equal(refused.allowed, false);
    assert.deepEqual(refused.status, { code: 400, message: words });
    // What is wrong with it does not come before the gate.
    const { status } = await ask(path, { object: { ...made, spec: { source: {}, target: {} } } });
    assert.deepEqual(status, { code: 400, message: words });
    const labelled = { ...made, metadata: { ...metadata, labels: { a: 'b' } } };
    assert.ok((await ask(path, { operation: 'UPDATE', object: labelled, oldObject: made })).allowed);
  });
}

test('exports have no gate any more', async () => {
  const object = {
    apiVersion: 'export.kubevirt.io/v1beta1',
    kind: 'VirtualMachineExport',
    metadata,
    spec: { source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 's' } },
  };
  assert.ok((await ask('/virtualmachineexports-validate', { object })).allowed);
});

const account = (name: string): string => `system:serviceaccount:${webhookContextForTests.namespace}:${name}`;
const guest = (sockets: number, more: object = {}): object => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { ...metadata, labels: { 'kubevirt.io/nodeName': 'one' } },
  spec: { domain: { devices: {}, cpu: { sockets, maxSockets: 4 }, memory: { guest: '64Mi' } } },
  status: { nodeName: 'one' },
  ...more,
});
const onNode = (node: string): object => ({ 'authentication.kubernetes.io/node-name': [node] });

const updates: readonly {
  readonly who: string;
  readonly username: string;
  readonly extra?: object;
  readonly object: object;
  readonly words?: string;
}[] = [
  {
    who: 'a user changes the spec',
    username: 'alice',
    object: guest(2),
    words: 'update of VMI object is restricted',
  },
  {
    who: 'virt-operator changes the spec',
    username: account('kubevirt-operator'),
    object: guest(2),
    words: 'update of VMI object is restricted',
  },
  {
    who: 'a user changes a label that is ours',
    username: 'alice',
    object: guest(1, { metadata: { ...metadata, labels: { 'kubevirt.io/nodeName': 'two' } } }),
    words: 'modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
  },
  {
    who: 'virt-handler of another node changes the spec',
    username: account('kubevirt-handler'),
    extra: onNode('two'),
    object: guest(2),
    words: 'Node restriction, virt-handler is only allowed to modify VMIs it owns',
  },
  {
    who: 'virt-handler without a node changes the spec',
    username: account('kubevirt-handler'),
    object: guest(2),
    words: 'Node restriction failed, virt-handler service account is missing node name',
  },
  { who: 'virt-controller plugs CPUs', username: account('kubevirt-controller'), object: guest(2) },
  {
    who: 'a user adds a label',
    username: 'alice',
    object: guest(1, { metadata: { ...metadata, labels: { 'kubevirt.io/nodeName': 'one', a: 'b' } } }),
  },
];

for (const { extra, object, username, who, words } of updates) {
  test(`update of a VMI: ${who}${words === undefined ? '' : ' and is refused with 422'}`, async () => {
    const { allowed, status } = await ask('/virtualmachineinstances-validate-update', {
      operation: 'UPDATE',
      userInfo: { username, ...(extra && { extra }) },
      object,
      oldObject: guest(1),
    });
    assert.equal(allowed, words === undefined);
    assert.equal(status?.message, words);
    // 403 is what the server itself says to those who have no right to write VMIs at all.
    if (words !== undefined) assert.equal(status?.code, 422);
  });
}
