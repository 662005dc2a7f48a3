import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, StatusError } from '@podvisor/base';
import type { Manifest } from '@podvisor/virt-operator';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { installFoundations, isFoundation } from './foundations.ts';
import { TEST_CONFIG } from './testing/test-config.ts';

const objects = bootstrapObjects(TEST_CONFIG, { kubevirtCa: 'CA', kvmUsable: false });

function recorder(create: (object: Manifest) => void) {
  const warnings: string[] = [];
  const client = {
    find: async () => undefined,
    create: async (_resource: unknown, object: Manifest) => create(object),
  };
  return {
    warnings,
    installer: {
      client: client as unknown as Parameters<typeof installFoundations>[0]['client'],
      clock: new FakeClock(),
      log: {
        info: () => undefined,
        warn: (_fields: object, message: string) => void warnings.push(message),
        error: () => undefined,
      },
    },
  };
}

test('every role, policy and kind of a home is there before the port is open, and nothing that webhooks judge', async () => {
  const made: string[] = [];
  const { installer, warnings } = recorder(({ kind }) => void made.push(kind ?? ''));
  const left = await installFoundations(installer, objects, new AbortController().signal);
  assert.deepEqual(
    left,
    objects.filter((object) => !isFoundation(object)),
  );
  const rights = objects.filter(({ apiVersion }) => apiVersion === 'rbac.authorization.k8s.io/v1');
  assert.ok(rights.length > 10);
  assert.ok(rights.every(isFoundation));
  assert.deepEqual(
    [...new Set(objects.filter((object) => !isFoundation(object)).map(({ kind }) => kind))].sort(),
    [
      'APIService',
      'CDIConfig',
      'KubeVirt',
      'MutatingWebhookConfiguration',
      'PriorityClass',
      'Service',
      'StorageClass',
      'ValidatingWebhookConfiguration',
      'VolumeSnapshotClass',
    ],
  );
  assert.equal(made.length, objects.filter(isFoundation).length);
  assert.deepEqual(warnings, []);
});

test('a refusal keeps nobody out: it is told, and the server listens', async () => {
  const { installer, warnings } = recorder(({ kind }) => {
    if (kind !== 'ClusterRole') return;
    throw new StatusError('InternalError', 'failed calling webhook');
  });
  assert.equal(await installFoundations(installer, objects, new AbortController().signal), objects);
  assert.equal(warnings.length, 1);
});
