/** A restored VM gets its memory once: noted before it may go on, and never again after that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineRestore,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
} from '@podvisor/api';
import { vmWith } from '../../testing/objects.ts';
import { hibernationClaimName } from '../vm/hibernation-claim.ts';
import { restoredHibernation } from './memory.ts';
import { planRestore } from './reconcile.ts';
import type { RestoreObservation } from './observation.ts';

const memoryBackup = { claimName: 'memory', vmiUID: 'vmi-uid', interfaces: [{ name: 'default', mac: 'm' }] };
const restore: VirtualMachineRestore = {
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineRestore',
  metadata: { name: 'r', namespace: 'default', uid: 'u' },
  spec: { target: { kind: 'VirtualMachine', name: 'vm' }, virtualMachineSnapshotName: 's' },
};
const snapshot: VirtualMachineSnapshot = {
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineSnapshot',
  metadata: { name: 's', namespace: 'default' },
  spec: { source: { kind: 'VirtualMachine', name: 'vm' } },
  status: { readyToUse: true, memory: { claimName: 'memory', sizeBytes: 17 } },
};
const source = vmWith({ runStrategy: 'Always' });
const content: VirtualMachineSnapshotContent = {
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineSnapshotContent',
  metadata: { name: 'c', namespace: 'default', uid: 'content-uid' },
  spec: { source: { virtualMachine: { metadata: source.metadata, spec: source.spec } }, memoryBackup },
};
const memoryClaim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: 'memory',
    namespace: 'default',
    ownerReferences: [
      {
        apiVersion: 'snapshot.kubevirt.io/v1beta1',
        kind: 'VirtualMachineSnapshotContent',
        name: 'c',
        uid: 'content-uid',
        controller: true,
      },
    ],
  },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'local' },
  status: { phase: 'Bound', capacity: { storage: '1Gi' } },
};
const stateClaim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: hibernationClaimName(source),
    namespace: 'default',
    annotations: { 'restore.kubevirt.io/name': 'r' },
  },
  spec: { accessModes: ['ReadWriteOnce'] },
  status: { phase: 'Bound' },
};
/** Written by this restore, and off. */
const changed = (status: VirtualMachine['status']): VirtualMachine => ({
  ...source,
  metadata: { ...source.metadata, annotations: { 'restore.kubevirt.io/lastRestoreUID': 'r-u' } },
  spec: { ...source.spec, runStrategy: 'Halted' },
  status,
});
const hibernation = restoredHibernation(restore, source, memoryBackup, snapshot);

function plan(more: Partial<RestoreObservation>) {
  const { actions, step, requeueAfterMs } = planRestore({
    restore,
    snapshot,
    content,
    target: changed({}),
    vmi: undefined,
    claims: new Map(),
    taken: new Map(),
    waitingClasses: new Set(),
    memoryClaim,
    nowMs: 0,
    ...more,
  });
  const kinds = actions.map(({ kind }) => kind);
  return { kinds, actions, step: step?.kind, reason: reasonOf(step), requeueAfterMs };
}
const reasonOf = (step: object | undefined): string =>
  step !== undefined && 'reason' in step ? String(step.reason) : '';
const prepared = { ...restore, status: { memoryPrepared: true } };

test('it hibernates, gets its copy of the memory, and only then runs as it did', () => {
  assert.deepEqual(plan({}).kinds, ['remember', 'createClaim']);
  assert.deepEqual(plan({ stateClaim }).kinds, ['remember'], 'its claim goes unless it hibernates');
  const asleep = changed({ hibernation });
  const copying = plan({ target: asleep });
  assert.deepEqual(copying.kinds, ['createClaim']);
  // A class that binds when the first user comes says nothing more about it.
  assert.equal(copying.requeueAfterMs, 0);
  const [made] = copying.actions;
  assert.ok(made?.kind === 'createClaim');
  assert.deepEqual(made.claim.spec.dataSource, { kind: 'PersistentVolumeClaim', name: 'memory' });
  assert.equal(made.claim.spec.resources?.requests?.['storage'], '1Gi');
  assert.deepEqual(
    plan({ target: asleep, stateClaim: { ...stateClaim, status: { phase: 'Pending' } } }).kinds,
    [],
  );
  const ready = plan({ target: asleep, stateClaim });
  assert.deepEqual([ready.kinds[0], ready.kinds.at(-1), ready.step], ['noteMemory', 'run', 'done']);
  const done = plan({ target: asleep, stateClaim, restore: prepared });
  assert.deepEqual([done.kinds[0], done.kinds.at(-1), done.step], ['own', 'run', 'done']);
});

test('once it is noted the memory is never given again, whatever became of the VM', () => {
  assert.deepEqual(plan({ restore: prepared, target: changed({}) }).kinds.includes('remember'), false);
});

test('memory that is gone, or that is not the one of the snapshot, is said before anything changes', () => {
  const foreign = { ...memoryClaim, metadata: { ...memoryClaim.metadata, ownerReferences: [] } };
  for (const claim of [undefined, foreign]) {
    const { step, reason, kinds } = plan({ target: source, memoryClaim: claim });
    assert.deepEqual([step, kinds], ['failed', []]);
    assert.match(reason, /claim memory.*spec\.discardMemory/);
  }
});

test('without the memory the VM stays off, as after any restore', () => {
  const spec = { ...restore.spec, discardMemory: true };
  const { kinds, step } = plan({ restore: { ...restore, spec }, memoryClaim: undefined });
  assert.deepEqual([step, kinds.includes('run'), kinds.includes('remember')], ['done', false, false]);
});

test('a snapshot that goes while it is restored ends the restore', () => {
  const begun = { ...restore, status: { restores: [] } };
  const { step, reason } = plan({ restore: begun, snapshot: undefined, content: undefined });
  assert.equal(step, 'failed');
  assert.match(reason, /was deleted/);
});

test('a claim of an older hibernation is waited for', () => {
  const old = { ...stateClaim, metadata: { ...stateClaim.metadata, annotations: {} } };
  assert.deepEqual(plan({ stateClaim: old }).kinds, []);
  assert.match(plan({ stateClaim: old }).reason, /old PVC/);
});
