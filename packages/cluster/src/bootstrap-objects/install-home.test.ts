import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { inOrder } from './install-home.ts';
import { TEST_CONFIG } from './testing/test-config.ts';

test('the KubeVirt object comes before its webhooks, and the sign that virt-api answers after them', () => {
  const objects = bootstrapObjects(TEST_CONFIG, { kubevirtCa: 'CA', kvmUsable: false });
  const { first, last } = inOrder(objects);
  assert.equal(first.length + last.length, objects.length);
  assert.ok(first.some(({ kind }) => kind === 'KubeVirt'));
  const kinds = last.map(({ kind }) => kind);
  assert.deepEqual(
    [...new Set(kinds)],
    ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'APIService'],
  );
});
