import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { PersistentVolumeClaim, VirtualMachineSnapshot } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { resources, type ReconcileResult, runPass } from '@podvisor/kube';
import { vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { vmWith } from '../../testing/objects.ts';
import { SnapshotController } from './controller.ts';

const STARTED_MS = Date.parse('2026-01-01T00:00:00Z');
const { signal } = new AbortController();
const MINUTE = 60_000;
let api: FakeApi;
let clock: FakeClock;
let controller: SnapshotController;
let key: string;

const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default' },
  spec: { storageClassName: 'local', accessModes: ['ReadWriteOnce'] },
  status: { phase: 'Bound' },
};
const now = (): VirtualMachineSnapshot | undefined => api.read(vmSnapshots, 'before');

function begin(spec: Partial<VirtualMachineSnapshot['spec']> = {}): void {
  api = new FakeApi();
  clock = new FakeClock(STARTED_MS);
  const vm = vmWith({
    template: {
      spec: {
        domain: { devices: {} },
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
    },
  });
  const { name = '' } = api.put(resources.virtualMachines, vm).metadata ?? {};
  api.put(resources.persistentVolumeClaims, claim);
  api.put(resources.storageClasses, { metadata: { name: 'local' }, provisioner: 'p' });
  api.put(resources.volumeSnapshotClasses, {
    metadata: { name: 'c' },
    driver: 'p',
    deletionPolicy: 'Delete',
  });
  api.put(vmSnapshots, {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: { name: 'before', namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name }, ...spec },
  });
  key = name;
  controller = new SnapshotController({
    client: api,
    recorder: { event: () => undefined },
    clock,
    freezer: { freeze: async () => undefined, unfreeze: async () => undefined },
    snapshot: () => now(),
    volumeSnapshotsServed: () => true,
    config: () => ({ configuration: {} }),
  });
}
beforeEach(() => begin());

/** One look and, like the queue, another where one is asked for at once. */
async function pass(): Promise<ReconcileResult> {
  const result = await runPass(controller, 'default/before', signal);
  return result?.requeueAfterMs === 0 ? pass() : result;
}

test('storage that never answers fails the snapshot at its deadline, and nothing of it is left', async () => {
  const first = await pass();
  assert.ok((first?.requeueAfterMs ?? 0) <= 5 * MINUTE);
  await pass();
  assert.equal(now()?.status?.phase, 'InProgress');
  assert.equal(api.read(resources.virtualMachines, key)?.status?.snapshotInProgress, 'before');
  assert.equal(api.all(resources.volumeSnapshots).length, 1);
  clock.advance(5 * MINUTE + 1);
  await pass();
  await pass();
  assert.equal(now()?.status?.phase, 'Failed');
  assert.match(now()?.status?.error?.message ?? '', /deadline exceeded/);
  assert.equal(api.read(resources.virtualMachines, key)?.status?.snapshotInProgress, undefined);
  const [content] = api.all(vmSnapshotContents);
  assert.ok(
    content === undefined || content.metadata?.deletionTimestamp !== undefined,
    'it is being taken away',
  );
});

test('a deadline of its own, and none', async () => {
  begin({ failureDeadline: '1m' });
  await pass();
  clock.advance(MINUTE + 1);
  await pass();
  assert.equal(now()?.status?.phase, 'Failed');
  begin({ failureDeadline: '0s' });
  await pass();
  clock.advance(1000 * MINUTE);
  const late = await pass();
  assert.deepEqual([now()?.status?.phase, late?.requeueAfterMs], ['InProgress', undefined]);
});
