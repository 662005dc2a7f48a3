import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhooks } from '@podvisor/api';
import { validObjects } from '../testing/valid-objects.ts';
import { webhookContextForTests } from '../testing/webhook-context.ts';
import { longListRefusal, MAX_ENTRIES } from './long-lists.ts';
import { Webhooks } from './serve.ts';
import { webhookTable } from './table.ts';

const served = new Webhooks(webhookTable, () => webhookContextForTests);
const resource = { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachineinstances' };
const disks = (count: number) => Array.from({ length: count }, () => ({ name: 'a' }));
const vmi = (count: number) => ({
  ...validObjects['VirtualMachineInstance'],
  spec: { domain: { devices: { disks: disks(count) } } },
});

test('twenty thousand disks of one name are one sentence, of every webhook of VMIs', async () => {
  const asked = webhooks.filter(({ rules }) =>
    rules.some(
      ({ resources, operations }) => resources.includes(resource.resource) && operations.includes('CREATE'),
    ),
  );
  assert.ok(asked.length >= 2);
  for (const { path } of asked) {
    const request = {
      uid: 'u',
      operation: 'CREATE',
      resource,
      userInfo: { username: 'tenant' },
      object: vmi(20_000),
    };
    const answer = await served.answer(path, async () => ({ kind: 'AdmissionReview', request }));
    const text = JSON.stringify(answer);
    assert.match(text, /spec\.domain\.devices\.disks list exceeds the 1024 element limit in length/, path);
    assert.ok(text.length < 2_000, path);
  }
});

test('what a guest can use passes, what is not ours is not looked at, and what is there already can be changed', () => {
  const refused = (object: unknown, oldObject: unknown = undefined, group = resource.group) =>
    longListRefusal({ resource: { ...resource, group }, object, oldObject }) !== undefined;
  assert.equal(refused(vmi(MAX_ENTRIES)), false);
  assert.equal(refused(vmi(MAX_ENTRIES + 1)), true);
  assert.equal(refused({ spec: { a: [{ b: disks(2_000) }] } }, {}, 'pool.kubevirt.io'), true);
  assert.equal(refused(vmi(2_000), {}, ''), false);
  assert.equal(refused(vmi(2_000), {}, 'evilkubevirt.io'), false);
  assert.equal(refused(vmi(2_000), vmi(1_500)), false);
  assert.equal(refused({ status: disks(2_000) }), false);
});
