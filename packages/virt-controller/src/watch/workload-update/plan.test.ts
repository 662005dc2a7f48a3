import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type KubeVirt, type VirtualMachineInstance } from '@podvisor/api';
import { migrationWith } from '../../testing/migrations.ts';
import { NOW_MS, vmiWith } from '../../testing/objects.ts';
import { planWorkloads, type WorkloadView } from './plan.ts';

function guest(
  name: string,
  more: { image?: string; movable?: boolean; waits?: string; labelled?: boolean } = {},
): VirtualMachineInstance {
  const conditions = [
    { type: 'LiveMigratable', status: more.movable === false ? 'False' : 'True' },
    ...(more.waits === undefined ? [] : [{ type: more.waits, status: 'True' }]),
  ];
  return vmiWith(
    {
      phase: 'Running',
      nodeName: 'n1',
      launcherContainerImageVersion: more.image ?? 'launcher:2',
      conditions,
    },
    {
      metadata: {
        name,
        uid: name,
        labels: more.labelled ? { 'kubevirt.io/outdatedLauncherImage': '' } : {},
      },
    },
  );
}

function kubevirtWith(methods: readonly string[], strategy = {}): KubeVirt {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { workloadUpdateStrategy: { workloadUpdateMethods: methods, ...strategy } },
    status: { phase: 'Deployed' },
  };
}

function plan(vmis: readonly VirtualMachineInstance[], more: Partial<WorkloadView> = {}) {
  const made = planWorkloads({
    kubevirt: kubevirtWith(['LiveMigrate', 'Evict']),
    vmis,
    launcherImage: 'launcher:2',
    migrationsOf: () => [],
    isAskedFor: () => false,
    openMigrations: 0,
    limits: clusterConfig().migrations,
    lastBatchMs: undefined,
    nowMs: NOW_MS,
    ...more,
  });
  const name = ({ metadata }: VirtualMachineInstance) => metadata?.name ?? '';
  return {
    migrate: made.migrate.map(({ vmi, priority }) => `${name(vmi)} ${priority}`),
    evict: made.evict.map(name),
    relabel: made.relabel.map(({ vmi, outdated }) => `${name(vmi)} ${outdated}`),
    outdated: made.outdated,
    requeueAfterMs: made.requeueAfterMs,
  };
}

const old = { image: 'launcher:1', labelled: true };

test('guests in an older launcher are labelled and counted, whatever the methods', () => {
  const vmis = [guest('new'), guest('old', { image: 'launcher:1' }), guest('was-old', { labelled: true })];
  const made = plan(vmis, { kubevirt: kubevirtWith([]) });
  assert.deepEqual(made.relabel, ['old true', 'was-old false']);
  assert.deepEqual([made.outdated, made.migrate, made.evict], [1, [], []]);
});

test('the first method that fits is taken', () => {
  const vmis = [guest('movable', old), guest('fixed', { ...old, movable: false })];
  assert.deepEqual(plan(vmis).migrate, ['movable system-maintenance']);
  assert.deepEqual(plan(vmis).evict, ['fixed']);
  assert.deepEqual(plan(vmis, { kubevirt: kubevirtWith(['LiveMigrate']) }).evict, []);
  assert.deepEqual(plan(vmis, { kubevirt: kubevirtWith(['Evict']) }).evict, ['movable', 'fixed']);
});

test('changes of a running guest wait for LiveMigrate, and go first', () => {
  const vmis = [
    guest('old', old),
    guest('cpu', { waits: 'HotVCPUChange' }),
    guest('nic', { waits: 'MigrationRequired' }),
  ];
  const made = plan(vmis);
  assert.deepEqual(made.migrate, ['cpu user-triggered', 'nic user-triggered', 'old system-maintenance']);
  assert.deepEqual(plan(vmis.slice(1), { kubevirt: kubevirtWith(['Evict']) }), {
    migrate: [],
    evict: [],
    relabel: [],
    outdated: 0,
    requeueAfterMs: undefined,
  });
});

test('a change that is made in place moves nobody', () => {
  const asked = guest('cpu');
  const conditions = [
    ...(asked.status?.conditions ?? []),
    { type: 'HotVCPUChange', status: 'True', reason: 'InPlace' } as const,
  ];
  assert.deepEqual(plan([{ ...asked, status: { ...asked.status, conditions } }]).migrate, []);
});

test('limits, open migrations and an installation that changes hold it back', () => {
  const vmis = ['a', 'b', 'c'].map((name) => guest(name, old));
  assert.equal(plan(vmis, { openMigrations: 4 }).migrate.length, 1);
  assert.deepEqual(plan(vmis, { migrationsOf: () => [migrationWith()] }).migrate, []);
  assert.deepEqual(plan(vmis, { isAskedFor: () => true }).migrate, []);
  const updating = { ...kubevirtWith(['LiveMigrate']), status: { phase: 'Deploying' } };
  assert.deepEqual(plan(vmis, { kubevirt: updating }).migrate, []);
});

test('evictions come in batches', () => {
  const vmis = ['a', 'b', 'c'].map((name) => guest(name, { ...old, movable: false }));
  const kubevirt = kubevirtWith(['Evict'], { batchEvictionSize: 2, batchEvictionInterval: '1m30s' });
  const first = plan(vmis, { kubevirt });
  assert.deepEqual([first.evict, first.requeueAfterMs], [['a', 'b'], 90_000]);
  const soon = plan(vmis.slice(2), { kubevirt, lastBatchMs: NOW_MS - 30_000 });
  assert.deepEqual([soon.evict, soon.requeueAfterMs], [[], 60_000]);
  assert.deepEqual(plan(vmis.slice(2), { kubevirt, lastBatchMs: NOW_MS - 90_000 }).evict, ['c']);
});
