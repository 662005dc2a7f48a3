import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finalizers } from '@podvisor/api';
import { webhookContextForTests } from '../testing/webhook-context.ts';
import { withFirstFinalizer } from './first-finalizer.ts';
import type { AdmissionRequest } from './review.ts';
import { webhookTable } from './table.ts';

const table = withFirstFinalizer(webhookTable);

async function patchOf(
  metadata: object,
  operation: AdmissionRequest['operation'] = 'CREATE',
): Promise<readonly unknown[]> {
  const vm = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'v', namespace: 'default', ...metadata },
    spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} } } } },
  };
  const request: AdmissionRequest = {
    uid: 'u',
    resource: { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' },
    operation,
    namespace: 'default',
    name: 'v',
    user: 'anna',
    userGroups: [],
    userExtra: {},
    object: vm,
    oldObject: operation === 'CREATE' ? undefined : vm,
    dryRun: false,
  };
  const answer = await table.get('/virtualmachines-mutate')?.(request, webhookContextForTests);
  assert.equal(answer?.kind, 'mutated');
  return answer.kind === 'mutated' ? answer.patch.filter(({ path }) => path.includes('finalizers')) : [];
}

test('a VM that is created has its finalizer from the beginning', async () => {
  assert.deepEqual(await patchOf({}), [{ op: 'add', path: '/metadata/finalizers', value: [finalizers.vm] }]);
});

test('finalizers of others stay, and its own is not there twice', async () => {
  assert.deepEqual(await patchOf({ finalizers: ['a.b/c'] }), [
    { op: 'add', path: '/metadata/finalizers/-', value: finalizers.vm },
  ]);
  assert.deepEqual(await patchOf({ finalizers: [finalizers.vm] }), []);
});

test('who changes a VM may take the finalizer away: virt-controller decides then', async () => {
  assert.deepEqual(await patchOf({}, 'UPDATE'), []);
});

test('the other webhooks are the very same', () => {
  for (const [path, webhook] of webhookTable)
    if (path !== '/virtualmachines-mutate') assert.equal(table.get(path), webhook);
});
