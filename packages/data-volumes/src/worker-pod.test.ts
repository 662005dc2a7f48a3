import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim } from '@podvisor/api';
import { parseFlags } from './flags.ts';
import { workerPod } from './worker-pod.ts';

const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c', namespace: 'n', uid: 'u' },
  spec: {},
};

test('Pods that read images of strangers ask for a user namespace where they are told to, and nowhere else', () => {
  const hostUsers = (...args: string[]): boolean | undefined => {
    const { worker } = parseFlags(['--worker-image=i', ...args]);
    return workerPod(claim, { kind: 'upload' } as Parameters<typeof workerPod>[1], worker).spec.hostUsers;
  };
  assert.equal(hostUsers('--worker-user-namespace'), false);
  assert.equal(hostUsers(), undefined);
});
