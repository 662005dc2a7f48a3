import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineClone, VirtualMachinePool } from '@podvisor/api';
import { type PoolObservation, type PoolPlan, reconcilePool } from './reconcile.ts';
import { copyOf, takenMetadata } from './warm.ts';

const REVISION = 'kubevirt.io/vm-pool-revision-name';
const pool = (more: Partial<VirtualMachinePool['spec']> = {}, generation = 1): VirtualMachinePool => ({
  apiVersion: 'pool.kubevirt.io/v1beta1',
  kind: 'VirtualMachinePool',
  metadata: { name: 'p', namespace: 'ns', uid: 'pool', generation },
  spec: {
    replicas: 2,
    selector: { matchLabels: { pool: 'p' } },
    source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'instant' },
    warm: true,
    virtualMachineTemplate: { metadata: { labels: { pool: 'p' }, annotations: { a: 'b' } } },
    ...more,
  },
});
const copy = (index: number, phase?: string, reason = '', of = pool()): VirtualMachineClone => ({
  ...copyOf(of, index),
  ...(phase === undefined
    ? {}
    : { status: { phase, conditions: [{ type: 'Ready', status: 'False', reason }] } }),
});
/** As the restore of its clone leaves it. */
const made = (index: number): VirtualMachine => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: `p-${index}`, namespace: 'ns', uid: `vm-${index}`, resourceVersion: '7' },
  spec: { runStrategy: 'Always', template: { spec: { domain: { devices: {} } } } },
});
const member = (index: number, of = pool()): VirtualMachine => {
  const vm = made(index);
  return { ...vm, metadata: { ...vm.metadata, ...takenMetadata(of, vm) }, status: { ready: true } };
};

function plan(
  of: VirtualMachinePool,
  vms: readonly VirtualMachine[],
  copies: readonly VirtualMachineClone[],
  more: Partial<PoolObservation> = {},
): PoolPlan {
  return reconcilePool({
    pool: of,
    candidates: vms,
    copies,
    vm: (name) => vms.find(({ metadata }) => metadata?.name === name),
    vmiOf: () => undefined,
    template: () => pool().spec,
    nodeLabels: () => undefined,
    random: () => 0.5,
    cacheCaughtUp: true,
    nowMs: 0,
    ...more,
  });
}
const names = (list: readonly { readonly metadata?: { readonly name?: string } }[]): readonly string[] =>
  list.map(({ metadata }) => metadata?.name ?? '');

test('a machine of a warm pool is a warm clone of the snapshot, under the name of the machine', () => {
  const { metadata, spec } = copyOf(pool({ identityless: true }), 3);
  assert.equal(metadata?.name, 'p-3');
  assert.equal(metadata?.ownerReferences?.[0]?.uid, 'pool');
  assert.deepEqual(spec, {
    source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'instant' },
    target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'p-3' },
    warm: true,
    identityless: true,
  });
});

test('as many clones as machines are missing; those that come count', () => {
  assert.deepEqual(plan(pool(), [], []).create, [0, 1]);
  assert.deepEqual(plan(pool(), [], [copy(0, 'RestoreInProgress')]).create, [1]);
  assert.deepEqual(plan(pool(), [], [copy(0), copy(1, 'SnapshotInProgress')]).create, []);
  // The machine is there, and its clone not over: it is nobody's yet, and no second one is made.
  assert.deepEqual(plan(pool(), [made(0), member(1)], [copy(0, 'CreatingTargetVM')]).create, []);
});

test('a copy that is there becomes the pool’s, and then its clone goes', () => {
  const first = plan(pool(), [made(0)], [copy(0, 'Succeeded')]);
  assert.deepEqual([names(first.take), names(first.drop), first.create], [['p-0'], [], []]);
  const taken = takenMetadata(pool(), made(0)) as VirtualMachine['metadata'];
  assert.deepEqual(taken?.labels, { pool: 'p', [REVISION]: 'p-1' });
  assert.equal(taken?.resourceVersion, '7', 'it holds for the machine as it was seen');
  const next = plan(pool(), [member(0)], [copy(0, 'Succeeded')]);
  assert.deepEqual([names(next.take), names(next.drop)], [[], ['p-0']]);
  assert.deepEqual(plan(pool(), [member(0)], []).create, [1]);
});

test('a copy that the pool found by its labels gets its revision, and is not replaced for the want of it', () => {
  const { labels: _labels, ...rest } = member(0).metadata ?? {};
  const adopted: VirtualMachine = { ...made(0), metadata: { ...rest, labels: { pool: 'p' } } };
  const early = plan(pool({ replicas: 1 }), [adopted], [copy(0, 'RestoreInProgress')]);
  assert.deepEqual([early.delete, early.create], [[], []]);
  const { take } = plan(pool({ replicas: 1 }), [adopted], [copy(0, 'Succeeded')]);
  assert.deepEqual(names(take), ['p-0']);
  const metadata = takenMetadata(pool(), adopted) as VirtualMachine['metadata'];
  assert.equal(metadata?.ownerReferences?.length, 1);
});

test('copies that cannot be made distinct are refused with words, and not tried again until the pool is changed', () => {
  const why = 'spec.warm: the guest had no agent';
  const failed = plan(pool(), [], [copy(0, 'Failed', why)]);
  assert.deepEqual([failed.create, failed.drop], [[], []]);
  assert.equal(failed.failure, `virtualmachineclone p-0: ${why}`);
  const changed = plan(pool({ identityless: true }, 2), [], [copy(0, 'Failed', why)]);
  assert.deepEqual([changed.failure, names(changed.drop)], [undefined, ['p-0']]);
});

test('a copy of another snapshot is replaced, and never changed', () => {
  const other = { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'later' };
  const { delete: gone, update, restart } = plan(pool({ source: other }, 2), [member(0), member(1)], []);
  assert.deepEqual([gone.map(({ vm }) => vm.metadata?.name), update, restart], [['p-0', 'p-1'], [], []]);
  // Scaled only: the same copies.
  const scaled = plan(pool({ replicas: 2 }, 3), [member(0), member(1)], []);
  assert.deepEqual([scaled.delete, scaled.create], [[], []]);
});

test('too many: machines go as in any pool', () => {
  const { delete: gone } = plan(pool({ replicas: 1 }), [member(0), member(1)], []);
  assert.equal(gone.length, 1);
});
