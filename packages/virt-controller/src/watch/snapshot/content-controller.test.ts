import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim, VirtualMachineSnapshotContent } from '@podvisor/api';
import { ContentController, pendingCopyOf } from './content-controller.ts';

const content = {
  metadata: { name: 'c', namespace: 'default', deletionTimestamp: '2026-11-16T19:00:00Z' },
  spec: {
    source: {},
    memoryBackup: { claimName: 'memory', vmiUID: 'u' },
    volumeBackups: [{ volumeName: 'disk', volumeSnapshotName: 'taken' }],
  },
} as unknown as VirtualMachineSnapshotContent;

const copy = (phase: string | undefined, more: object = {}): PersistentVolumeClaim =>
  ({
    metadata: { name: 'copy', namespace: 'default', ...more },
    spec: { dataSource: { kind: 'PersistentVolumeClaim', name: 'memory' } },
    status: { phase },
  }) as unknown as PersistentVolumeClaim;

const controllerWith = (memoryCopies: readonly PersistentVolumeClaim[]): ContentController =>
  new ContentController({
    client: { delete: () => assert.fail(), patch: () => assert.fail() },
    content: () => content,
    memoryCopies: () => memoryCopies,
  });

test('memory that is still to be copied keeps its content', async () => {
  const waiting = controllerWith([copy('Pending')]);
  const observed = waiting.observe('default/c');
  assert.ok(observed);
  assert.deepEqual(waiting.plan(observed), { kind: 'wait' });
  await waiting.apply(waiting.plan(observed), observed, new AbortController().signal);
  const free = controllerWith([]);
  assert.deepEqual(free.plan({ content, memoryCopies: [] }), { kind: 'release', volumeSnapshots: ['taken'] });
});

test('a copy is under way until it is bound, or goes', () => {
  assert.equal(pendingCopyOf(copy('Pending')), 'memory');
  assert.equal(pendingCopyOf(copy(undefined)), 'memory');
  assert.equal(pendingCopyOf(copy('Bound')), undefined);
  assert.equal(pendingCopyOf(copy('Pending', { deletionTimestamp: '2026-11-16T19:00:00Z' })), undefined);
  const plain = { ...copy('Pending'), spec: {} } as PersistentVolumeClaim;
  assert.equal(pendingCopyOf(plain), undefined);
});
